import type { IDataObject } from 'n8n-workflow';
import { clickedLinks } from '../../../../nodes/LinkTrigger/detectors/clicked';
import type {
	ChosenLink,
	Detector,
	DetectorContext,
} from '../../../../nodes/LinkTrigger/detectors/detector';
import { FullScan } from '../../../../nodes/LinkTrigger/polling/fullScan';
import { idNumber } from '../../../../nodes/LinkTrigger/polling/idList';
import type { PollAccount } from '../../../support/pollAccount.ts';
import { accountWith, plainLink, range, requestsTo } from '../../../support/pollReading.ts';

/** A detector of clicks with the full scan, and its events: `7: 2 + 3 = 5`. */
function polled(account: PollAccount, more: Partial<DetectorContext> = {}) {
	const reported: string[] = [];
	const context: DetectorContext = {
		...{ params: [], fixedParams: [], fits: () => true, startsFromAll: false },
		...{ events: new Set(['clicked']), thresholds: [], minNewClicks: 1, chosenLinks: [] },
		report: ({ id, extra = {} }) =>
			reported.push(
				`${id}: ${[extra.previousClicks, extra.newClicks].join(' + ')} = ${String(extra.clicks)}`,
			),
		...more,
	};
	let stored: IDataObject | undefined;
	let position: IDataObject | undefined;
	let detector: Detector = clickedLinks.create(context, undefined);
	const poll = async (most?: number) => {
		detector = clickedLinks.create(context, stored);
		const onRead = (links: readonly IDataObject[]) => {
			for (const link of links) {
				if (context.fits(link)) detector.observe?.(link, idNumber(link));
			}
		};
		const { sent, requests } = requestsTo(account, most, onRead);
		try {
			await detector.poll?.(requests);
			const scan = new FullScan(context, detector.scan ? [detector] : [], position);
			await scan.poll(requests);
			position = scan.store();
		} finally {
			stored = JSON.parse(JSON.stringify(detector.store())) as IDataObject;
		}
		return { sent, events: reported.splice(0), warning: detector.warning?.message };
	};
	return { poll, stored: () => stored };
}

const byUrl = (alias: string): ChosenLink => {
	const key = `go.example/${alias}`;
	const text = `https://${key}`;
	return { text, reference: { text, kind: 'short URL', search: alias, key } };
};

it('reports the clicks since the last poll, and none from before the first poll', async () => {
	const account = accountWith(range(1, 3));
	account.change(2, { clicks: 40 });
	const { poll } = polled(account);
	expect((await poll()).events).toEqual([]);
	account.change(1, { clicks: 3 });
	account.change(2, { clicks: 41 });
	expect((await poll()).events).toEqual(['1: 0 + 3 = 3', '2: 40 + 1 = 41']);
	expect((await poll()).events).toEqual([]);
});

it('reports all clicks so far, and later clicks once, with Start From = All', async () => {
	const account = accountWith(range(1, 2));
	account.change(2, { clicks: 40 });
	const { poll } = polled(account, { startsFromAll: true });
	expect((await poll()).events).toEqual(['2: 0 + 40 = 40']);
	account.change(2, { clicks: 42 });
	expect((await poll()).events).toEqual(['2: 40 + 2 = 42']);
});

it('adds up clicks until they reach Min New Clicks', async () => {
	const account = accountWith([1]);
	const { poll } = polled(account, { minNewClicks: 10 });
	const seen: string[][] = [];
	for (const clicks of [0, 4, 9, 10, 19, 25, 29, 30, 35]) {
		account.change(1, { clicks });
		seen.push((await poll()).events);
	}
	expect(seen.flat()).toEqual(['1: 0 + 10 = 10', '1: 10 + 15 = 25', '1: 25 + 10 = 35']);
	expect(seen[3]).toHaveLength(1);
});

it('starts again from fewer clicks after a reset', async () => {
	const account = accountWith([1]);
	const { poll } = polled(account, { minNewClicks: 2 });
	const seen: string[] = [];
	for (const clicks of [50, 51, 3, 4, 5, 0, 2]) {
		account.change(1, { clicks });
		seen.push(...(await poll()).events);
	}
	expect(seen).toEqual(['1: 3 + 2 = 5', '1: 0 + 2 = 2']);
});

it('counts the clicks of a new link from zero', async () => {
	const account = accountWith(range(1, 2));
	const { poll } = polled(account);
	await poll();
	account.create({ ...plainLink, clicks: 6 });
	expect((await poll()).events).toEqual(['3: 0 + 6 = 6']);
});

it('starts with the clicks of a link that comes to match the filters', async () => {
	const account = accountWith(range(1, 3));
	account.change(3, { clicks: 20, space: 2 });
	const params = [['space_id', '1']] as const;
	const fits = ({ space }: { readonly space?: unknown }) =>
		(space as { id: number } | null)?.id === 1;
	for (const startsFromAll of [false, true]) {
		account.change(3, { clicks: 20, space: 2 });
		const { poll } = polled(account, { params, fits, startsFromAll });
		await poll();
		account.change(3, { space: 1 });
		expect((await poll()).events).toEqual([]);
		account.change(3, { clicks: 21 });
		expect((await poll()).events).toEqual(['3: 20 + 1 = 21']);
	}
});

it('forgets links that are deleted, without a request', async () => {
	const account = accountWith(range(1, 3));
	const { poll, stored } = polled(account);
	await poll();
	account.delete(2);
	expect((await poll()).sent).toEqual(['asc 1']);
	const { clicks } = stored() ?? {};
	expect(clicks).toBe('AA');
});

it('reads each chosen link once, whatever the filters are, and no other link', async () => {
	const account = accountWith(range(1, 30));
	const chosenLinks = [
		{ text: '7', id: 7 },
		{ text: '21', id: 21 },
	];
	const { poll } = polled(account, { chosenLinks, fits: () => false });
	expect((await poll()).sent).toEqual(['get 7', 'get 21']);
	account.change(7, { clicks: 3 });
	account.change(8, { clicks: 3 });
	const { sent, events } = await poll();
	expect(sent).toEqual(['get 7', 'get 21']);
	expect(events).toEqual(['7: 0 + 3 = 3']);
});

it('finds a link by its short URL once, and follows it when its alias changes', async () => {
	const account = accountWith(range(1, 3));
	account.change(2, { alias: 'spring' });
	account.change(3, { alias: 'spring-2' });
	const { poll } = polled(account, { chosenLinks: [byUrl('spring')] });
	expect((await poll()).sent).toEqual(['search=spring search_by=alias page 1']);
	account.change(2, { alias: 'summer', clicks: 4 });
	expect(await poll()).toEqual({ sent: ['get 2'], events: ['2: 0 + 4 = 4'], warning: undefined });
	account.delete(2);
	expect((await poll()).warning).toMatch(/: https:\/\/go.example\/spring$/);
	account.create({ ...plainLink, alias: 'spring', clicks: 9 });
	expect(await poll()).toMatchObject({ events: [], warning: undefined });
	account.change(4, { clicks: 10 });
	expect(await poll()).toMatchObject({ sent: ['get 4'], events: ['4: 9 + 1 = 10'] });
});

it('warns of chosen links that do not exist, and reports the others', async () => {
	const account = accountWith([1, 2]);
	const chosenLinks = [5, 1, ...range(100, 105)].map((id) => ({ text: String(id), id }));
	const { poll } = polled(account, { chosenLinks });
	await poll();
	account.change(1, { clicks: 2 });
	const { events, warning } = await poll();
	expect(events).toEqual(['1: 0 + 2 = 2']);
	expect(warning).toBe(
		'The node does not find these links of Links to Watch: 5, 100, 101, 102, 103, and 2 more',
	);
});

it('continues with the link at which a poll ran out of requests', async () => {
	const account = accountWith(range(1, 5));
	const chosenLinks = range(1, 5).map((id) => ({ text: String(id), id }));
	const { poll, stored } = polled(account, { chosenLinks });
	await expect(poll(3)).rejects.toThrow('max number of requests');
	expect(Object.keys((stored()?.chosen as IDataObject).clicks as IDataObject)).toEqual([
		'1',
		'2',
		'3',
	]);
	const { sent } = await poll();
	expect(sent).toEqual(['get 4', 'get 5', 'get 1', 'get 2', 'get 3']);
});

it('starts over if links are chosen, and if none are', async () => {
	const account = accountWith([1]);
	const { poll, stored } = polled(account);
	await poll();
	const context = { chosenLinks: [{ text: '1', id: 1 }] };
	const other = polled(account, context);
	await other.poll();
	const chosen = other.stored();
	expect(chosen).toMatchObject({ chosen: { clicks: { 1: 0 } } });
	expect(() => clickedLinks.create({ ...contextOf(), chosenLinks: [] }, chosen)).toThrow(
		SyntaxError,
	);
	const again = clickedLinks.create({ ...contextOf(), ...context }, stored());
	expect(again.store()).toMatchObject({ chosen: { clicks: {} } });
});

const contextOf = (): DetectorContext => ({
	...{ params: [], fixedParams: [], fits: () => true, startsFromAll: false },
	...{ events: new Set(['clicked']), thresholds: [], minNewClicks: 1, chosenLinks: [] },
	report: () => undefined,
});

it('warns if the service shows no clicks', async () => {
	const account = accountWith([1]);
	const read = (url: string) => {
		const answer = account.read(url);
		return { ...answer, body: answer.body.replace('"clicks":0', '"clicks":null') };
	};
	for (const chosenLinks of [[], [{ text: '1', id: 1 }]]) {
		const { poll } = polled({ read } as PollAccount, { chosenLinks });
		expect((await poll()).warning).toBe(
			'The service does not return the clicks of links as whole numbers',
		);
	}
});

it('refuses stored clicks of other links', async () => {
	const [two, three] = [polled(accountWith(range(1, 2))), polled(accountWith(range(1, 3)))];
	await two.poll();
	await three.poll();
	const state = { ...three.stored(), clicks: two.stored()?.clicks };
	expect(() => clickedLinks.create(contextOf(), state)).toThrow(
		new SyntaxError('Not the clicks of these IDs'),
	);
});

describe('a chosen link that cannot be read', () => {
	const chosenLinks = [1, 2, 3].map((id) => ({ text: String(id), id }));

	/** An account that answers the read of a link with a status. */
	const failingAt = (account: PollAccount, id: number, statusCode: number) => {
		let isFailing = true;
		const read = (url: string) =>
			isFailing && url.endsWith(`/links/${id}`)
				? { statusCode, headers: {}, body: '{}' }
				: account.read(url);
		const recover = () => {
			isFailing = false;
		};
		return { service: { read } as PollAccount, recover };
	};

	it('does not prevent that the poll reads the others', async () => {
		const account = accountWith(range(1, 3));
		const { service, recover } = failingAt(account, 1, 403);
		const { poll } = polled(service, { chosenLinks, startsFromAll: true });
		account.change(2, { clicks: 2 });
		await expect(poll()).rejects.toThrow('HTTP 403');
		recover();
		account.change(1, { clicks: 5 });
		const { sent, events } = await poll();
		expect(sent).toEqual(['get 1', 'get 2', 'get 3']);
		expect(events).toEqual(['2: 0 + 2 = 2', '1: 0 + 5 = 5']);
	});

	it('ends the poll if no link can be read, and the next poll continues with it', async () => {
		const account = accountWith(range(1, 3));
		const { service, recover } = failingAt(account, 2, 401);
		const { poll, stored } = polled(service, { chosenLinks });
		await expect(poll()).rejects.toThrow('HTTP 401');
		expect(stored()).toMatchObject({ chosen: { clicks: { 1: 0 }, next: '2' } });
		recover();
		expect((await poll()).sent).toEqual(['get 2', 'get 3', 'get 1']);
		expect(stored()?.chosen).not.toHaveProperty('next');
	});
});

it('counts the clicks of chosen links from zero with Start From = All', async () => {
	const account = accountWith([1]);
	account.change(1, { clicks: 4 });
	const chosenLinks = [{ text: '1', id: 1 }];
	expect((await polled(account, { chosenLinks }).poll()).events).toEqual([]);
	expect((await polled(account, { chosenLinks, startsFromAll: true }).poll()).events).toEqual([
		'1: 0 + 4 = 4',
	]);
});

it('forgets the state of links that are no longer chosen', async () => {
	const account = accountWith(range(1, 3));
	account.change(2, { alias: 'spring' });
	const chosenLinks = [{ text: '1', id: 1 }, { text: '9', id: 9 }, byUrl('spring')];
	const { poll, stored } = polled(account, { chosenLinks });
	await poll();
	expect(stored()).toEqual({
		chosen: { clicks: { 1: 0, 2: 0 }, ids: { 'go.example/spring': 2 }, missing: { 9: true } },
	});
	const one = clickedLinks.create(
		{ ...contextOf(), chosenLinks: chosenLinks.slice(0, 1) },
		stored(),
	);
	expect(one.store()).toEqual({ chosen: { clicks: { 1: 0 }, ids: {}, missing: {} } });
});
