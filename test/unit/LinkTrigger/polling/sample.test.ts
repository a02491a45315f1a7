import { NodeOperationError } from 'n8n-workflow';
import { events } from '../../../../nodes/LinkTrigger/events';
import { fingerprint } from '../../../../nodes/LinkTrigger/polling/fingerprint';
import { sampleItems } from '../../../../nodes/LinkTrigger/polling/sample';
import { readSettings } from '../../../../nodes/LinkTrigger/settings';
import { accountOf } from '../../../../nodes/shared/transport/connect';
import type { PollAccount } from '../../../support/pollAccount.ts';
import { byId, accountWith, pollContext, range } from '../../../support/pollReading.ts';

async function sample(account: Pick<PollAccount, 'read'>, selected: string[], more = {}) {
	const { context, requests } = pollContext(account, {
		mode: 'manual',
		parameters: { events: selected, ...more },
	});
	const settings = readSettings(context, events, 'UTC');
	const items = await sampleItems(context, events, settings, await accountOf(context));
	return { items: items.map(({ json }) => json), requests };
}

// No deadline of a request outlasts a test.
beforeEach(
	() =>
		void jest.useFakeTimers({
			doNotFake: ['nextTick', 'performance', 'queueMicrotask', 'setImmediate'],
		}),
);
afterEach(() => void jest.useRealTimers());

const service = fingerprint('https://links.example/api/v1', 4);

it('shows the newest link for an event', async () => {
	const { items, requests } = await sample(accountWith(range(1, 5)), ['created']);
	expect(items).toMatchObject([{ event: 'created', eventId: `created-${service}-5-test`, id: 5 }]);
	expect(requests).toEqual(['desc 1']);
});

it('shows a link that is gone by its ID, alias and short URL', async () => {
	const { items } = await sample(accountWith(range(1, 5)), ['deleted']);
	expect(items).toEqual([
		{
			...{ event: 'deleted', eventId: `deleted-${service}-5-test`, id: 5, deleted: true },
			...{ alias: 'a', shortUrl: 'https://go.example/a' },
		},
	]);
});

it('returns a sample of the first event that has a matching link', async () => {
	const account = accountWith(range(1, 5));
	account.change(3, { disabled: true });
	const { items, requests } = await sample(account, ['expired', 'disabled', 'clicksReached'], {
		thresholds: '100',
	});
	expect(items).toMatchObject([{ event: 'disabled', id: 3 }]);
	expect(requests).toEqual(['clicks desc 1', 'status=3 desc 1']);
});

it('shows the highest threshold that a link has reached', async () => {
	const account = accountWith(range(1, 5));
	account.change(2, { clicks: 700 });
	const { items } = await sample(account, ['clicksReached'], { thresholds: '100, 500, 1000' });
	expect(items).toMatchObject([{ event: 'clicksReached', id: 2, threshold: 500, clicks: 700 }]);
});

it('leaves out links that do not fit the filters', async () => {
	const account = accountWith(range(1, 5));
	account.change(2, { alias: 'spring-1' });
	account.change(4, { alias: 'x-spring-1' });
	const filters = { domainId: byId(1), aliasStartsWith: 'spring-' };
	const { items, requests } = await sample(account, ['created'], { filters });
	expect(items).toMatchObject([{ id: 2 }]);
	expect(requests).toEqual(['search=spring- search_by=alias domain_id=1 desc 1']);
});

it('shows the newest link where no link is an example, with a hint', async () => {
	const { items, requests } = await sample(accountWith(range(1, 5)), ['expired', 'disabled']);
	expect(items).toMatchObject([
		{
			...{ event: 'disabled', eventId: `disabled-${service}-5-test`, id: 5, test: true },
			hint: 'No link is an example of Link Disabled, Link Expired, so this is your newest link. Disable a link. Set an expiration in the near future for a link.',
		},
	]);
	expect(requests).toEqual(['status=3 desc 1', 'status=2 desc 1', 'desc 1']);
});

it('shows the lowest threshold for a link that has reached none', async () => {
	const { items } = await sample(accountWith([1]), ['clicksReached'], { thresholds: '500, 100' });
	expect(items).toMatchObject([{ id: 1, threshold: 100, clicks: 0, test: true }]);
});

it('shows a link that does not match the filters where none does', async () => {
	const { items, requests } = await sample(accountWith([1, 2]), ['created'], {
		filters: { domainId: byId(2) },
	});
	expect(items).toMatchObject([
		{
			...{ event: 'created', id: 2, test: true },
			hint: 'No link matches the filters, so this is your newest link. Change the filters, or create a link that matches them.',
		},
	]);
	expect(requests).toEqual(['domain_id=2 desc 1', 'domain_id=2 desc 1', 'desc 1']);
});

it.each<[what: string, events: string[], filters: object, names: string]>([
	['an event', ['created'], {}, 'Link Created'],
	[
		'several events',
		['created', 'expired', 'deleted'],
		{},
		'Link Created, Link Deleted, Link Expired',
	],
	['filters', ['created'], { domainId: byId(1) }, 'Link Created'],
])('says what to do if the account has no link: %s', async (_what, events, filters, names) => {
	const error = await sample(accountWith([]), events, { filters }).catch(
		(reason: unknown) => reason,
	);
	expect(error).toBeInstanceOf(NodeOperationError);
	expect(error).toMatchObject({
		message: `The account has no link for a test event of ${names}`,
		description: 'Create a link.',
	});
});
