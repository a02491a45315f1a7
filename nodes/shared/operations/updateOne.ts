import type { IDataObject } from 'n8n-workflow';
import { apiRequest } from '../contract/endpoints';
import { paramsOf, type EncodedRow } from '../contract/encodedRow';
import type { EncodedField } from '../contract/fieldTypes';
import type { RowRequests } from '../transport/rowRequests';
import type { AnswerChecks } from './answerChecks';
import { changesFor, readsFirst } from './changes';
import { answerOfId, readById, resolveId } from './find';
import type { Result } from './types';
import { requestResource } from './resource';

/**
 * Updates the resource of one row, and checks the answer.
 *
 * @param known the resource as the list shows it, if the fields of the row are those that differ from it
 * @throws ServiceError if a request fails, or if the answer contradicts the row
 */
export async function updateOne(
	requests: RowRequests,
	row: EncodedRow,
	answers: AnswerChecks,
	known?: IDataObject,
): Promise<Result> {
	const { contract, fields } = row;
	const id = await resolveId(requests, row);
	await requests.lock(`${contract.path}/${id}`);
	const write = async (sent: readonly EncodedField[], before?: IDataObject) => {
		const request = apiRequest(contract, 'update', paramsOf(sent), id);
		const answer = await answerOfId(contract, id, requestResource(requests, request));
		answers.checkUpdate(row, answer, { id, sent, before });
		return answer;
	};
	const isDone = known !== undefined && fields.length === 0;
	if (!readsFirst(row)) {
		return isDone
			? { resources: [known], outcome: 'unchanged' }
			: { resources: [await write(fields, known)], outcome: 'updated' };
	}
	const resource = await readById(requests, contract, id);
	const changed = changesFor(row, resource);
	return changed.length === 0
		? { resources: [resource], outcome: 'unchanged' }
		: { resources: [await write(changed, resource)], outcome: 'updated' };
}
