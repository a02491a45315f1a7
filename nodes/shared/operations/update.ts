import type { IDataObject } from 'n8n-workflow';
import { heldOf } from '../contract/compare';
import { apiRequest } from '../contract/endpoints';
import {
	paramsOf,
	type EncodedField,
	type EncodedRow,
	type ListChange,
} from '../contract/encodeRow';
import { Invalid, type WireValue } from '../contract/types';
import type { RowRequests } from '../transport/rowRequests';
import { rejection } from '../transport/serviceError';
import { AnswerChecks } from './answers';
import { answerOfId, readById, resolveId } from './find';
import { rowByRow, type Operation, type Result } from './operation';
import { requestResource } from './resource';

/**
 * The values that a resource has of a list.
 *
 * @throws ServiceError where its description does not tell all of them
 */
function valuesHeld(
	{ field }: ListChange,
	resource: IDataObject,
	row: EncodedRow,
): readonly WireValue[] {
	const held = heldOf(field, resource, row);
	const encoded = Array.isArray(held) ? field.wire.codec(held, field) : undefined;
	if (encoded !== undefined && !(encoded instanceof Invalid)) return encoded;
	throw rejection(
		`The service does not tell which ${field.wire.key} the resource has, so none can be added or removed`,
		`Nothing was changed. Set ${field.wire.merge?.displayName ?? 'the mode'} to Replace, and give all values that it shall have.`,
	);
}

/** The whole list as it is to be, after values were added to it or removed from it; undefined where it stays. */
function changedList(change: ListChange, held: readonly WireValue[]): EncodedField | undefined {
	const { field, mode, values } = change;
	const named = new Set(values.map(([, text]) => text));
	const others = held.filter(([, text]) => !named.has(text));
	const changed = mode === 'remove' ? others : [...others, ...values];
	if (changed.length === held.length) return undefined;
	return { field, values: changed.length > 0 ? changed : (field.wire.empty ?? []) };
}

/** Updates the resource of one row, and checks the answer. */
async function updateOne(
	requests: RowRequests,
	row: EncodedRow,
	answers: AnswerChecks,
): Promise<Result> {
	const { contract, change, fields } = row;
	const id = await resolveId(requests, row);
	await requests.takeTurn(`${contract.path}/${id}`);
	const write = async (sent: readonly EncodedField[], before?: IDataObject) => {
		const request = apiRequest(contract, 'update', paramsOf(sent), id);
		const answer = await answerOfId(contract, id, requestResource(requests, request));
		answers.checkUpdate(row, answer, { id, sent, before });
		return answer;
	};
	if (!change) return { resources: [await write(fields)], outcome: 'updated' };

	const resource = await readById(requests, contract, id);
	const list = changedList(change, valuesHeld(change, resource, row));
	const changed = list ? [...fields, list] : fields;
	return changed.length === 0
		? { resources: [resource], outcome: 'unchanged' }
		: { resources: [await write(changed, resource)], outcome: 'updated' };
}

/**
 * Changes the fields of a resource that the row sets or clears. Where it adds to a list or removes from it, the resource is
 * read first. Rows on the same resource take turns.
 */
export const update: Operation = ({ rows: [first], hasStray }) => {
	const answers = new AnswerChecks(hasStray);
	const begun = rowByRow(async (requests, row) => await updateOne(requests, row, answers))();
	return { ...begun, notes: () => (first ? answers.notes(first.contract) : []) };
};
