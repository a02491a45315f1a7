import type { IDataObject } from 'n8n-workflow';
import { hasValuesOf, mayBeCreatedBy } from '../contract/compare';
import { apiRequest, newestFirst, pageSizes } from '../contract/endpoints';
import { fieldsToCreate, paramsOf, searchTextOf, type EncodedRow } from '../contract/encodedRow';
import { defaultMatch } from '../contract/matchBy';
import { RetryPlan } from '../transport/retryPolicy';
import { fetchPage } from '../transport/pages';
import type { RowRequests } from '../transport/rowRequests';
import { ServiceError, settled, type Failure } from '../transport/serviceError';
import type { AnswerChecks } from './answerChecks';
import { findOwn } from './find';
import { idIn, requestResource } from './resource';

/** Statuses that refuse a create because something of the same key is there (assumption: field errors). */
export const taken: ReadonlyArray<number | undefined> = [409, 422];

/** The failure of a create of which nobody knows whether it was carried out. */
const unknown = (failure: Failure, check: string): ServiceError =>
	new ServiceError({
		...failure,
		advice: `${failure.advice} ${check}`.trim(),
		outcome: 'unknown',
		isUnknownCreate: true,
	});

/** The failure of a create that was surely not carried out, whatever its answer said. */
const notCreated = ({ advice, ...failure }: Failure, why: string): ServiceError => {
	const [, said = ''] = advice.match(/(The service said: .*)$/s) ?? [];
	const told = ['The node looked for it. Nothing was created.', why, said].filter(
		(text) => text !== '',
	);
	return new ServiceError({ ...failure, outcome: 'failed', advice: told.join(' ') });
};

/** The row as a look-up finds what a create of it made: by what makes it unique, whatever Match By is. */
const asCreated = (row: EncodedRow): EncodedRow => ({ ...row, match: defaultMatch(row.contract) });

/**
 * Looks whether a create was carried out after all: the resource if exactly one is there and nothing speaks against its
 * being ours, undefined if none is there.
 *
 * @throws ServiceError where the look leaves it open
 */
async function lookForOwn(
	requests: RowRequests,
	row: EncodedRow,
	failure: Failure,
): Promise<IDataObject | undefined> {
	const { searchBy } = row.contract.key;
	if (searchTextOf(row) === undefined) {
		const hint =
			searchBy === 'alias'
				? 'With an alias, or with Generate Alias under Options, the node can find out by itself.'
				: '';
		throw unknown(failure, hint);
	}
	const found = await settled(findOwn(requests, asCreated(row)));
	if (found instanceof ServiceError) {
		throw unknown(failure, `Looking for it failed too: ${found.message}.`);
	}
	const [one, ...others] = found;
	if (!one) return undefined;
	if (found.some((resource) => requests.client.created.has(idIn(resource) ?? ''))) {
		throw notCreated(failure, `An earlier row has created the one with the same ${searchBy}.`);
	}
	if (others.length === 0 && mayBeCreatedBy(row, one)) return one;
	throw unknown(
		failure,
		`${found.length} with the same ${searchBy} exist, but not exactly one with these values.`,
	);
}

/**
 * Looks for a resource that the service may have made of a create under another key: of the newest, one that no row of this
 * run has made and that has the row's values. Looked for only after a second lost answer, because it takes a request, and
 * because a service that refuses a second one of the same key makes none.
 */
async function lookForRenamed(
	requests: RowRequests,
	row: EncodedRow,
): Promise<IDataObject | undefined> {
	const { path } = row.contract;
	const page = await settled(fetchPage(requests, { path, params: newestFirst }, pageSizes[0], 1));
	if (page instanceof ServiceError) return undefined;
	return page.items.find(
		(resource) => !requests.client.created.has(idIn(resource) ?? '') && hasValuesOf(row, resource),
	);
}

/** So many time-outs a create that was given up has to arrive after all, before it is looked for: milliseconds at most. */
const late = { timeouts: 3, most: 60_000 };

/**
 * Creates a resource exactly once. Where the outcome of a request is unknown, it looks before it repeats: with an alias
 * or name the resource can be found again, and is adopted if its values are ours; without one the row fails, for a
 * guess would make a second one or lose the first. After a time-out it looks later, because the service may be at work.
 */
async function createOrAdopt(
	requests: RowRequests,
	row: EncodedRow,
	answers: AnswerChecks,
): Promise<IDataObject> {
	const { client } = requests;
	const hooks = answers.createHooks(row.contract);
	const request = apiRequest(row.contract, 'create', paramsOf(fieldsToCreate(row)));
	const retryPlan = new RetryPlan(client, requests.waited);
	let doubt: Failure | undefined;
	for (;;) {
		const created = await settled(requestResource(requests, request, hooks));
		if (!(created instanceof ServiceError)) return created;
		const { failure } = created;
		const isUnknown = failure.outcome === 'unknown';
		// Refused after a doubt: what took the alias may be our own first attempt, which arrived late.
		const isOpen = isUnknown || (doubt && failure.statusCode === 422);
		if (!isOpen) throw doubt ? unknown({ ...doubt, cause: failure.cause }, '') : created;
		const { isTimeout } = failure;
		const least = isTimeout ? Math.min(late.timeouts * client.options.timeout, late.most) : 0;
		const canLook = searchTextOf(row) !== undefined;
		const mayRetry =
			canLook && failure.cause === 'ambiguous' && retryPlan.planRetry('limited', least);
		const backOff = async () => {
			const ended = await settled(requests.backoff(retryPlan.delay));
			if (ended instanceof ServiceError) throw unknown(doubt ?? failure, '');
		};
		if (mayRetry && isTimeout) await backOff();
		const own = await lookForOwn(requests, row, doubt ?? failure);
		if (own) return own;
		const renamed = doubt && (await lookForRenamed(requests, row));
		if (renamed) throw answers.renamedCreate(row, renamed);
		if (failure.cause !== 'ambiguous') throw doubt ? unknown(failure, '') : notCreated(failure, '');
		if (!mayRetry) throw created;
		if (!isTimeout) await backOff();
		doubt = failure;
		client.retries += 1;
	}
}

/**
 * Creates a resource exactly once, remembers that this row has, and checks the answer. A stray create is neither repeated
 * nor looked for: another one could make another stray.
 *
 * @throws ServiceError as `AnswerChecks.checkCreate`
 */
export async function createOnce(
	requests: RowRequests,
	row: EncodedRow,
	answers: AnswerChecks,
): Promise<IDataObject> {
	const created = await createOrAdopt(requests, row, answers);
	requests.client.created.add(idIn(created) ?? '');
	answers.checkCreate(row, created);
	return created;
}
