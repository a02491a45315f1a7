import type { EncodedRow } from '../contract/encodedRow';
import { addressNameOf } from '../contract/matchBy';
import { webAddressOf } from '../contract/readers';
import { get } from './get';
import type { OperationHandler } from './types';

/** Returns the complete address of a row, which needs no request; undefined if the row has only a part of it, or an ID. */
const addressOf = ({ reference }: EncodedRow): string | undefined =>
	webAddressOf(reference?.text) ?? undefined;

/**
 * Reads the resource with the ID of each row, so that the run can draw the QR code of its address. A row with a complete
 * address sends no request.
 */
export const getQrCode: OperationHandler = (run) => {
	const reading = get(run);
	return {
		...reading,
		execute: async (requests, row) => {
			const address = addressOf(row);
			if (address === undefined) return await reading.execute(requests, row);
			await requests.lock(undefined);
			const resources = [{ [addressNameOf(row.contract)]: address }];
			return { resources, addresses: [address], outcome: 'read' };
		},
		requestsFor: (row) => (addressOf(row) === undefined ? reading.requestsFor(row) : 0),
	};
};
