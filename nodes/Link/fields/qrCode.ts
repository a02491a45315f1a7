import { line } from '../../shared/contract/codecs/scalar';
import type { QrCodeContract } from '../../shared/contract/resourceTypes';
import { shownFor } from '../../shared/description/parameters';

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
	outputField: {
		displayName: 'Put Output File in Field',
		name: 'binaryPropertyName',
		type: 'string',
		default: 'qrCode',
		displayOptions: shownFor(({ drawsQrCode }) => drawsQrCode),
		codec: line,
	},
};
