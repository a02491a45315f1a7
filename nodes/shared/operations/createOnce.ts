import type { IDataObject } from 'n8n-workflow';
import { hasValuesOf, isSame, mayBeCreatedBy } from '../contract/compare';
import { type EncodedRow, fieldsToCreate, paramsOf, searchTextOf } from '../contract/encodedRow';
import { apiRequest, newestFirst, pageSizes } from '../contract/endpoints';
import { defaultMatch } from '../contract/layout';
import { outcomeUnknown, ServiceError, settled, type Failure } from '../transport/failures';
import { fetchPage } from '../transport/pages';
import { RetryPlan } from '../transport/retry';
import type { RowRequests } from '../transport/rowRequests';
import { findCandidates } from './find';
import { keyLabelOf, requestResource } from './resource';
import type { ResponseChecks } from './responses';

/** Returns whether a create was refused because its key may be taken (assumption: field errors). */
export const mayBeTaken = ({ statusCode, outcome }: Failure): boolean =>
	(statusCode === 409 || statusCode === 422) && outcome !== 'unknown';

/** Returns the failure of a create that the service may have processed. */
const unknownCreate = (failure: Failure, advice: string): ServiceError =>
	new ServiceError({
		...failure,
		advice: `${failure.advice} ${advice}`.trim(),
		outcome: 'unknown',
		isUnknownCreate: true,
	});

/** Returns the failure of a create that the service did not process, regardless of its response. */
const notCreated = ({ advice, ...failure }: Failure, reason: string): ServiceError => {
	const result = `The node searched for it. Nothing was created. ${reason}`.trim();
	return new ServiceError({
		...failure,
		outcome: 'failed',
		advice: advice.replace(outcomeUnknown({ method: 'POST' }), () => result),
	});
};

/** Delay before the look-up after a time-out, because the create may arrive late: in time-outs, and max milliseconds. */
const lateDelay = { timeouts: 3, most: 60_000 };

/** Sends a create and looks up its outcome if the response does not show it. */
class CreateAttempts {
	private readonly requests: RowRequests;

	private readonly row: EncodedRow;

	private readonly checks: ResponseChecks;

	private readonly retryPlan: RetryPlan;

	/** The last failure with an unknown outcome. */
	private doubt?: Failure;

	constructor(requests: RowRequests, row: EncodedRow, checks: ResponseChecks) {
		this.requests = requests;
		this.row = row;
		this.checks = checks;
		this.retryPlan = new RetryPlan(requests.client, requests.waited);
	}

	/**
	 * Returns the resource of the row. After an unknown outcome it looks up the resource before it retries the create. Without
	 * an alias or name the row fails, because a retry could create a second resource.
	 */
	async run(): Promise<IDataObject> {
		const { requests, row, checks } = this;
		const request = apiRequest(row.contract, 'create', paramsOf(fieldsToCreate(row)));
		for (;;) {
			const created = await settled(requestResource(requests, request, checks.createHooks));
			if (!(created instanceof ServiceError)) return created;
			const resource = await this.afterFailure(created);
			if (resource) return resource;
		}
	}

	/** Returns the resource if the service created it; undefined if the create must be retried. */
	private async afterFailure(error: ServiceError): Promise<IDataObject | undefined> {
		const { requests, row, doubt } = this;
		const { failure } = error;
		const { isTimeout } = failure;
		if (failure.written) throw error;
		// After a doubt, our own first attempt may have arrived late and taken the alias.
		const isOpen = failure.outcome === 'unknown' || (doubt && failure.statusCode === 422);
		if (!isOpen) throw doubt ? unknownCreate({ ...doubt, cause: failure.cause }, '') : error;
		const mayRetry = this.mayRetry(failure);
		if (mayRetry && isTimeout) await this.backOff(failure);
		const resource = await this.lookUpCreated(doubt ?? failure);
		if (resource) return resource;
		const renamed = doubt && (await this.lookUpRenamed());
		if (renamed) throw this.checks.stray(row, renamed, 'isRenamed');
		if (failure.cause !== 'ambiguous') {
			const advice = `An earlier try got no response, so the ${row.contract.value} may exist: check there before you run this item again.`;
			throw doubt ? unknownCreate(failure, advice) : notCreated(failure, '');
		}
		if (!mayRetry) throw error;
		if (!isTimeout) await this.backOff(failure);
		this.doubt = failure;
		requests.client.retries += 1;
		return undefined;
	}

	/**
	 * Looks up the resource that the create may have created. Returns it if exactly one exists with the key and no value contradicts
	 * the row; undefined if none exists.
	 *
	 * @throws ServiceError if the outcome stays unknown
	 */
	private async lookUpCreated(failure: Failure): Promise<IDataObject | undefined> {
		const { requests, checks } = this;
		const { contract } = this.row;
		const { searchBy, generatedBy } = contract.key;
		// The key identifies the created resource, regardless of Match By.
		const row = { ...this.row, match: defaultMatch(contract) };
		if (searchTextOf(row) === undefined) {
			const or = generatedBy === undefined ? '' : ` or with ${generatedBy} under Options`;
			throw unknownCreate(failure, `With ${keyLabelOf(row)}${or}, the node can find it.`);
		}
		const candidates = await settled(findCandidates(requests, row));
		if (candidates instanceof ServiceError) {
			const reason = candidates.message.replace(/\.$/, '');
			throw unknownCreate(failure, `The search for it failed, too: ${reason}.`);
		}
		const matches = candidates.filter((resource) => isSame(row, resource));
		const [match, ...more] = matches;
		if (!match) return undefined;
		if (matches.some((resource) => checks.hasCreated(resource))) {
			const reason = `An earlier item created the ${contract.value} with the same ${searchBy}.`;
			throw notCreated(failure, reason);
		}
		if (more.length === 0 && mayBeCreatedBy(row, match)) return match;
		const others =
			more.length === 0
				? `a ${contract.value} with the same ${searchBy}, but with other values`
				: `${matches.length} ${contract.value}s with the same ${searchBy}`;
		throw unknownCreate(failure, `The service has ${others}.`);
	}

	/**
	 * Returns a new resource with the values of the row that the service may have created under another key. This takes a
	 * request, so it runs only after a second lost response. A service that refuses a taken key creates no such resource.
	 */
	private async lookUpRenamed(): Promise<IDataObject | undefined> {
		const { requests, row, checks } = this;
		const listing = { path: row.contract.path, params: newestFirst };
		const page = await settled(fetchPage(requests, listing, pageSizes[0], 1));
		if (page instanceof ServiceError) return undefined;
		return page.items.find((resource) => !checks.isKnown(resource) && hasValuesOf(row, resource));
	}

	private mayRetry({ cause, isTimeout }: Failure): boolean {
		const { timeout } = this.requests.client.options;
		const least = isTimeout ? Math.min(lateDelay.timeouts * timeout, lateDelay.most) : 0;
		const canLookUp = searchTextOf(this.row) !== undefined;
		return canLookUp && cause === 'ambiguous' && this.retryPlan.planRetry(least);
	}

	/** Waits before the look-up or the retry. */
	private async backOff(failure: Failure): Promise<void> {
		const ended = await settled(this.requests.backoff(this.retryPlan));
		if (ended instanceof ServiceError) throw unknownCreate(this.doubt ?? failure, '');
	}
}

/**
 * Creates a resource exactly once, and checks the response. It does not retry or look up a stray create, because a
 * retry could create another stray.
 *
 * @throws ServiceError in the same cases as `ResponseChecks.checkCreate`
 */
export async function createOnce(
	requests: RowRequests,
	row: EncodedRow,
	checks: ResponseChecks,
): Promise<IDataObject> {
	const created = await new CreateAttempts(requests, row, checks).run();
	checks.checkCreate(row, created);
	return created;
}
