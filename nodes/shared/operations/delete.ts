import { apiRequest } from '../contract/endpoints';
import { flagOf, idOf } from '../contract/readers';
import { isEmptyDeep } from '../contract/values';
import { rejection, ServiceError, settled } from '../transport/serviceError';
import { resolveId } from './find';
import type { Execute, Result } from './operation';
import { idIn, recordIn } from './resource';

/** Whether an answer says that nothing was deleted, in one of the ways that services have (assumption: delete answer). */
function isDenial(body: unknown): boolean {
	const answer = recordIn(body);
	if (!answer) return body === false;
	const { deleted, ok, success, error, errors, status } = answer;
	return (
		[deleted, ok, success].some((flag) => flagOf(flag) === false) ||
		[error, errors].some((said) => !isEmptyDeep(said) && flagOf(said) !== false) ||
		(typeof status === 'string' && /^(error|fail)/i.test(status))
	);
}

/** The ID has the type that the service gives IDs, whether or not its answer came. */
const result = (id: unknown, outcome: 'deleted' | 'missing'): Result => ({
	resources: [{ id: idOf(id), deleted: outcome === 'deleted' }],
	outcome,
});

/**
 * Deletes a resource. The service confirms with an object of its own, with a text, or with an empty body (assumption:
 * delete answer).
 */
export const deleteOne: Execute = async (requests, row) => {
	const id = await settled(resolveId(requests, row));
	const isMissing = (error: ServiceError) =>
		error.failure.statusCode === 404 && requests.client.options.ignoreMissing;
	if (id instanceof ServiceError) {
		if (isMissing(id)) return result(row.reference?.text, 'missing');
		throw id;
	}
	await requests.takeTurn(`${row.contract.path}/${id}`);
	let mayBeDone = false;
	const body = await settled(
		requests.request(apiRequest(row.contract, 'delete', [], id), ({ cause }) => {
			mayBeDone ||= cause === 'ambiguous';
		}),
	);
	if (body instanceof ServiceError) {
		// Gone after a lost answer: the first try was carried out.
		if (body.failure.statusCode === 404 && mayBeDone) return result(id, 'deleted');
		if (isMissing(body)) return result(id, 'missing');
		throw body;
	}
	if (isDenial(body)) {
		throw rejection(
			`The service did not delete the ${row.contract.value} ${id}`,
			'It answered that nothing was deleted. Look at the service whether something else uses it.',
		);
	}
	return result(idIn(recordIn(body)) ?? id, 'deleted');
};
