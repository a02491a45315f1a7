import type { NodeResult } from '../../support/n8n.ts';
import {
	linkAs,
	pageOf,
	useScriptedService,
	type HookedAnswer,
} from '../../support/scriptedService.ts';
import { byId, jsonOf, useService } from '../../support/service.ts';

const { current, link, pixel } = useService();

const read = ({ error }: NodeResult) => [error?.message, error?.description];

const changes = { updateFields: { disabled: true } };
const added = { updateFields: { pixelIds: [1], pixelMode: 'add' } };

describe('what the service does not know is named', () => {
	it.each<[string, object]>([
		['get', {}],
		['update', changes],
		['update', added],
	])('by its ID on %s', async (operation, more) => {
		expect(read(await link(operation, { parameters: { linkId: byId(123456), ...more } }))).toEqual([
			'No link has the ID 123456',
			'Check the ID, or choose the link from the list. If every item fails like this, check Base URL in the credential.',
		]);
		expect(current().requests.map(({ status }) => status)).toEqual([404]);
	});

	it('with the ways to name a link by another text, where the ID is no number', async () => {
		const [message, advice] = read(await link('get', { parameters: { linkId: byId('spring') } }));
		expect(message).toBe('No link has the ID spring');
		expect(advice).toMatch(
			/ IDs are usually numbers\. For another text, choose By Short URL or By Alias\. /,
		);
		const one = read(await pixel('get', { parameters: { pixelId: byId('spring') } }));
		expect(one).toEqual(['No pixel has the ID spring', expect.not.stringContaining('short URL')]);
	});

	it.each([
		['its ID', byId(7), 'No link has the ID 7'],
		[
			'its short URL',
			{ __rl: true, mode: 'url', value: 'short.example/none' },
			'No link has the short URL short.example/none',
		],
	])('on delete by %s, with the option that takes it for done', async (_, linkId, message) => {
		const failed = await link('delete', { parameters: { linkId } });
		expect(failed.error?.message).toBe(`${message}`);
		expect(failed.error?.description).toMatch(
			/ To treat it as deleted, turn on Ignore Missing under Options\.$/,
		);
		const parameters = { linkId, options: { ignoreMissing: true } };
		expect(jsonOf(await link('delete', { parameters }))).toMatchObject([{ deleted: false }]);
	});
});

describe('a missing link', () => {
	const scripted = useScriptedService();
	/** Deletes a link, although it may be missing, from a service that answers everything in one way. */
	const deleting = async (linkId: object, answer: HookedAnswer) => {
		scripted.current().follow(() => answer);
		const parameters = { linkId, options: { ignoreMissing: true } } as never;
		return await scripted.link('delete', { parameters });
	};
	const page = { status: 404, body: '<html><title>Not here</title></html>' };

	it.each([
		['a web page', byId(1), page],
		[
			'a list that is not there',
			{ __rl: true, mode: 'alias', value: 'a' },
			{ status: 404, body: { message: 'Not Found.' } },
		],
	])('is not reported by %s', async (_, linkId, answer) => {
		const result = await deleting(linkId, answer);
		expect(result.error?.message).toContain('HTTP 404');
	});

	it.each([
		['url', 'short.example/one', { short_url: null, domain: null }],
		['alias', 'one', { alias: null }],
	])(
		'is not reported by a list that does not show what By %s compares',
		async (mode, value, hidden) => {
			const result = await deleting({ __rl: true, mode, value }, pageOf([linkAs(hidden)]));
			expect(result.error?.message).toMatch(
				/^The service does not show the (short URL|alias) of each link$/,
			);
		},
	);

	it('is reported by the service itself', async () => {
		const body = { message: 'Resource not found.' };
		const result = await deleting(byId(1), { status: 404, body });
		expect(jsonOf(result)).toEqual([{ id: 1, deleted: false }]);
	});
});
