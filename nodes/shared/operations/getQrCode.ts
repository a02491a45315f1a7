import type { EncodedRow } from '../contract/encodedRow';
import { webAddressOf } from '../contract/readers';
import { isTextual, shorten } from '../contract/values';
import { pictureOf, PictureProblem } from '../qrCode/picture';
import { rejection } from '../transport/failures';
import { get } from './get';
import type { OperationHandler, QrCode } from './types';

/** Max length of a file name, in characters. */
const maxFileName = 200;

/** Returns the name of the file of a QR code: the last part of the address, without characters that some systems refuse. */
function fileNameOf(address: string, extension: string): string {
	const [path = ''] = address.split(/[?#]/, 1);
	const last = path.split('/').filter(Boolean).at(-1) ?? '';
	const safe = last.replace(/[\p{Cc}\p{Cf}\p{Cs}"*:<>\\|]+/gu, '-').replace(/^\.+/, '');
	const name = shorten(safe, maxFileName) || 'qr-code';
	return name.toLowerCase().endsWith(`.${extension}`) ? name : `${name}.${extension}`;
}

/**
 * Draws the QR code of an address in the format of a row.
 *
 * @throws ServiceError if the address has no QR code of the row's size
 */
function qrCodeOf({ contract, qrCode }: EncodedRow, address: unknown): QrCode {
	const text = isTextual(address) ? webAddressOf(address) : null;
	if (!qrCode || text === null) {
		const message = `${contract.name} has no address that starts with http:// or https://`;
		throw rejection(message, 'Check it in the service.');
	}
	const picture = pictureOf(text, qrCode.size);
	if (picture instanceof PictureProblem) throw rejection(picture.message, picture.advice);
	if (qrCode.format === 'svgText') return picture.svg();
	return qrCode.format === 'png'
		? { content: picture.png(), name: fileNameOf(text, 'png'), type: 'image/png' }
		: {
				content: new TextEncoder().encode(picture.svg()),
				name: fileNameOf(text, 'svg'),
				type: 'image/svg+xml',
			};
}

/** Returns the complete address of a row, which needs no request; undefined if the row has only a part of it, or an ID. */
const addressOf = ({ reference }: EncodedRow): string | undefined =>
	webAddressOf(reference?.text) ?? undefined;

/**
 * Draws the QR code of the resource of each row. Reads the resource, unless the row has a complete address: that needs no
 * request.
 */
export const getQrCode: OperationHandler = (run) => {
	const { recovery, execute } = get(run);
	return {
		recovery,
		execute: async (requests, row) => {
			const address = addressOf(row);
			if (address === undefined) {
				const result = await execute(requests, row);
				const [resource] = result.resources;
				return { ...result, qrCode: qrCodeOf(row, resource?.[row.contract.key.address ?? '']) };
			}
			await requests.lock(undefined);
			const resources = [{ [row.contract.address?.outputName ?? 'address']: address }];
			return { resources, isOutput: true, outcome: 'read', qrCode: qrCodeOf(row, address) };
		},
	};
};
