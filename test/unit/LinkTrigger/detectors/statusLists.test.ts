import type { IDataObject } from 'n8n-workflow';
import type { DetectorDefinition } from '../../../../nodes/LinkTrigger/detectors/detector';
import { deletedLinks } from '../../../../nodes/LinkTrigger/detectors/deleted';
import { disabledLinks } from '../../../../nodes/LinkTrigger/detectors/disabled';
import { expiredLinks } from '../../../../nodes/LinkTrigger/detectors/expired';
import { accountWith, detectorContext, pagesOf, requestsTo } from '../../../support/pollReading.ts';
import { ServiceError } from '../../../../nodes/shared/transport/failures';

/** Polls a list that has one link, and returns the message of the error. */
async function messageFor(definition: DetectorDefinition, link: IDataObject) {
	const meta = { current_page: 1, last_page: 1, total: 1 };
	const { requests } = requestsTo(pagesOf({ data: [{ id: 1, ...link }], meta }));
	const { context, reported } = detectorContext({ startsFromAll: true });
	const error = await definition
		.create(context, undefined)
		.poll?.(requests)
		.catch((reason: unknown) => reason);
	return error instanceof ServiceError ? error.failure.message : reported.join();
}

const ignored =
	'The service ignores the status filter, so its lists of disabled and expired links cannot be read';

it.each<[disabled: unknown, outcome: string]>([
	[1, 'disabled 1'],
	['1', 'disabled 1'],
	[true, 'disabled 1'],
	[undefined, 'disabled 1'],
	[null, 'disabled 1'],
	[0, ignored],
	['0', ignored],
	[false, ignored],
])('reads a list of disabled links with `disabled` %p', async (disabled, outcome) => {
	expect(await messageFor(disabledLinks, { disabled } as IDataObject)).toBe(outcome);
});

it.each<[link: IDataObject, outcome: string]>([
	[{ ends_at: '2020-01-01', expiration_clicks: null }, 'expired 1'],
	[{ ends_at: null, expiration_clicks: 5 }, 'expired 1'],
	[{ ends_at: null, expiration_clicks: '5' }, 'expired 1'],
	[{ ends_at: null }, 'expired 1'],
	[{ expiration_clicks: null }, 'expired 1'],
	[{ ends_at: null, expiration_clicks: null }, ignored],
	[{ ends_at: '', expiration_clicks: 0 }, ignored],
])('reads a list of expired links with %j', async (link, outcome) => {
	expect(await messageFor(expiredLinks, link)).toBe(outcome);
});

/** Polls a list that a link has left, and returns the events and the number of links that are still known. */
async function exitFrom(
	definition: DetectorDefinition,
	link: IDataObject | undefined,
	fits: boolean | undefined,
) {
	const { context, reported } = detectorContext({ fits: () => fits });
	const account = accountWith([]);
	const read = (url: string) =>
		link && url.endsWith('links/1')
			? { statusCode: 200, headers: {}, body: JSON.stringify({ data: { id: 1, ...link } }) }
			: account.read(url);
	const detector = definition.create(context, { ids: 'C', unfit: '', last: 1 });
	await detector.poll?.(requestsTo({ read }).requests);
	return [reported.join(), detector.store().ids === 'C' ? 'known' : 'forgotten'];
}

it.each<
	[link: IDataObject | undefined, fits: boolean | undefined, reported: string, state: string]
>([
	[undefined, true, 'deleted 1', 'forgotten'],
	[{}, true, '', 'known'],
	[{}, false, '', 'forgotten'],
	[{}, undefined, '', 'forgotten'],
])('after %j has left the list of all links', async (link, fits, reported, state) => {
	expect(await exitFrom(deletedLinks, link, fits)).toEqual([reported, state]);
});

it.each<
	[link: IDataObject | undefined, fits: boolean | undefined, reported: string, state: string]
>([
	[undefined, true, '', 'forgotten'],
	[{ disabled: 0 }, true, 'enabled 1', 'forgotten'],
	[{ disabled: 0 }, false, '', 'forgotten'],
	[{ disabled: 1 }, true, '', 'known'],
	[{ disabled: 1 }, undefined, '', 'forgotten'],
])('after %j has left the list of disabled links', async (link, fits, reported, state) => {
	expect(await exitFrom(disabledLinks, link, fits)).toEqual([reported, state]);
});
