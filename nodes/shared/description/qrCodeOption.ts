import type { INodeProperties } from 'n8n-workflow';
import { shownFor } from './parameters';

/** The parameters of a QR code, in the order of the form. */
export const qrCodeFields = {
	format: {
		displayName: 'Format',
		name: 'format',
		type: 'options',
		options: [
			{ name: 'PNG', value: 'png', description: 'A picture for emails and documents' },
			{ name: 'SVG', value: 'svg', description: 'A picture for print, sharp at any size' },
			{
				name: 'SVG Text',
				value: 'svgText',
				description: 'SVG in the JSON. AI tools return only this.',
			},
		],
		default: 'png',
	},
	size: {
		displayName: 'Size',
		name: 'size',
		type: 'number',
		typeOptions: { minValue: 29, maxValue: 2000 },
		default: 300,
		description: 'Max width in px',
	},
	errorCorrection: {
		displayName: 'Error Correction',
		name: 'errorCorrection',
		type: 'options',
		options: [
			{ name: 'High (30%)', value: 'H' },
			{ name: 'Low (7%)', value: 'L' },
			{ name: 'Medium (15%)', value: 'M' },
			{ name: 'Quartile (25%)', value: 'Q' },
		],
		default: 'M',
	},
	foreground: {
		displayName: 'Foreground Color',
		name: 'foregroundColor',
		type: 'color',
		default: '#000000',
	},
	background: {
		displayName: 'Background Color',
		name: 'backgroundColor',
		type: 'color',
		default: '#ffffff',
	},
	fileName: {
		displayName: 'File Name',
		name: 'fileName',
		type: 'string',
		default: '',
		placeholder: 'e.g. spring-sale.png',
	},
	outputField: {
		displayName: 'Put Output File in Field',
		name: 'binaryPropertyName',
		type: 'string',
		default: 'qrCode',
	},
} satisfies Record<string, INodeProperties>;

/** The group that contains the parameters. */
export const qrCodeGroup = 'picture';

/** The option that adds a QR code to each result that has an address. */
export const qrCodeOption: INodeProperties = {
	displayName: 'QR Code',
	name: 'qrCode',
	type: 'fixedCollection',
	default: { [qrCodeGroup]: {} },
	description: 'Adds a QR code',
	options: [{ displayName: 'Picture', name: qrCodeGroup, values: Object.values(qrCodeFields) }],
	displayOptions: shownFor(({ deletes, drawsQrCode }) => !deletes && drawsQrCode !== false),
};
