import { linksOf, outcomesOf, row } from '../../support/account.ts';
import { useScriptedSync } from '../../support/scriptedSync.ts';

const { begin, methods, sync } = useScriptedSync();

const retry = {
	retryOnFail: true,
	settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 },
};

/** Refuses the first request with this method and path. */
function refuseOnce(request: string) {
	let isRefused = false;
	return ({ method, path }: { method: string; path: string }) => {
		if (isRefused || `${method} ${path}` !== request) return undefined;
		isRefused = true;
		return { status: 403 };
	};
}

const shortUrlOf = (alias: string) => `https://short.example/${alias}`;

/** Returns links as a service with short URLs shows them. */
const shows = (link: Record<string, unknown>) => ({
	...link,
	short_url: shortUrlOf(String(link.alias)),
});

describe('the second try of a sync with Retry On Fail', () => {
	it('keeps a link that the first try created', async () => {
		const links = begin(linksOf(row('a')), { before: refuseOnce('PUT /links/1') });
		const items = [
			{ id: '', ...row('new') },
			{ id: 1, url: 'https://example.com/changed' },
		];
		const result = await sync(items, {}, { ...retry, parameters: { matchBy: 'id' } });
		expect(outcomesOf(result)).toEqual(['created', 'updated']);
		expect(links.map(({ alias }) => alias)).toEqual(['new', 'a']);
		expect(methods()).not.toContain('DELETE 2');
	});

	it.each(['simplified', 'selectedFields'])(
		'keeps a link whose short URL the first try changed, with the output %s',
		async (output) => {
			const before = refuseOnce('DELETE /links/2');
			const links = begin(linksOf(row('a'), row('b')), { shows, before });
			const parameters = { matchBy: 'id', output, outputFields: ['url'] };
			await sync([{ id: shortUrlOf('a'), alias: 'a2' }], {}, { ...retry, parameters });
			expect(links.map(({ alias }) => alias)).toEqual(['a2']);
		},
	);

	it('repeats the rows that failed, if a completed row no longer matches its link', async () => {
		begin(linksOf(row('a'), row('b')), { shows, before: refuseOnce('PUT /links/2') });
		const items = [
			{ id: shortUrlOf('a'), alias: 'a2' },
			{ id: shortUrlOf('b'), url: 'https://example.com/x' },
		];
		const parameters = { matchBy: 'id', unmatchedLinks: 'keep' };
		const result = await sync(items, {}, { ...retry, parameters });
		expect(methods()).toEqual(['PUT 1', 'PUT 2', 'PUT 2']);
		expect(outcomesOf(result)).toEqual(['updated', 'updated']);
		expect(result.error).toBeUndefined();
	});
});
