import { type EncodedRow, paramsOf } from '../contract/encodedRow';
import { webAddressOf } from '../contract/readers';
import { isTextual } from '../contract/values';
import { inFormat, pictureOf, type QrCode } from '../qrCode/picture';
import { rejection } from '../transport/failures';
import { readById, resolveId } from './find';
import { list } from './list';
import type { Execute, OperationCode } from './types';

/** Reads the resource with the ID or address of a row. */
const readOne: Execute = async (requests, row) => {
	const id = await resolveId(requests, row);
	return { resources: [await readById(requests, row.contract, id)], outcome: 'read' };
};

export const get: OperationCode = () => ({ execute: readOne });

/** Reads a list up to its limit. */
export const getMany: OperationCode = () => ({
	execute: async (requests, { contract: { path }, fields, limit }) => ({
		resources: await list(requests, { path, params: paramsOf(fields), limit }),
		outcome: 'read',
	}),
});

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
	if ('advice' in picture) throw rejection(picture.message, picture.advice);
	return inFormat(picture, qrCode.format, text);
}

/** Draws the QR code of the resource of each row. Reads the resource, unless the row has a complete address. */
export const getQrCode: OperationCode = () => ({
	execute: async (requests, row) => {
		const { address, key } = row.contract;
		const text = webAddressOf(row.reference?.text);
		if (text === null) {
			const result = await readOne(requests, row);
			return { ...result, qrCode: qrCodeOf(row, result.resources[0]?.[key.address ?? '']) };
		}
		const resources = [{ [address?.outputName ?? 'address']: text }];
		return { resources, isOutput: true, outcome: 'read', qrCode: qrCodeOf(row, text) };
	},
});
