import { bounded, line } from '../shared/contract/codecs/scalar';
import type { QrCodeContract, ResourceOption } from '../shared/contract/resourceTypes';

export const generateAlias: ResourceOption = {
	displayName: 'Generate Alias',
	name: 'generateAlias',
	type: 'number',
	typeOptions: { minValue: 4, maxValue: 255 },
	default: 8,
	description: 'The length of a random alias for items without one',
	isFor: ({ creates }) => creates === 'always',
	codec: bounded,
};

/** The parameters of the QR code of a link. */
export const linkQrCode: QrCodeContract = {
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
				description: 'SVG in the JSON, for AI tools',
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
	outputField: {
		displayName: 'Put Output File in Field',
		name: 'binaryPropertyName',
		type: 'string',
		default: 'qrCode',
		isFor: ({ drawsQrCode }) => drawsQrCode,
		codec: line,
	},
};
