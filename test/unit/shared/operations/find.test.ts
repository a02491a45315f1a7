import type { IDataObject } from 'n8n-workflow';
import { linkContract } from '../../../../nodes/Link/link.contract';
import { pixelContract } from '../../../../nodes/Pixel/pixel.contract';
import {
	answerOfId,
	findCandidates,
	findOwn,
	findReferenced,
	readById,
	resolveId,
	searchAll,
} from '../../../../nodes/shared/operations/find';
import { rejection, ServiceError } from '../../../../nodes/shared/transport/failures';
import {
	clientFor,
	linkAccount,
	linkLike,
	rowOf,
	type Answers,
} from '../../../support/operationRun.ts';

/** Does some work with the requests of one row. */
async function doing<T>(
	answers: Answers,
	work: (requests: ReturnType<ReturnType<typeof clientFor>['requests']>) => Promise<T>,
) {
	const { sent, requests, client } = clientFor(answers);
	const own = requests();
	const result = await work(own).catch((error: unknown) => error);
	own.end();
	client.close();
	return { result, sent };
}

const ids = (found: unknown) => (found as IDataObject[]).map(({ id }) => id);

const account = (...aliases: string[]) =>
	linkAccount(aliases.map((alias, index) => linkLike({ id: index + 1, alias })));

const referring = (linkId: string) =>
	rowOf('get', { linkId: { mode: 'url', value: linkId } as never });

it('searches for several texts, and returns each link once', async () => {
	const { result, sent } = await doing(
		account('ab', 'bc', 'c'),
		async (requests) => await searchAll(requests, linkContract, 'alias', ['a', 'b']),
	);
	expect(ids(result)).toEqual([1, 2]);
	expect(sent).toEqual([
		'GET /links search=a search_by=alias',
		'GET /links search=b search_by=alias',
	]);
});

describe('the candidates of a row', () => {
	const candidates = async (row: ReturnType<typeof rowOf>, answers: Answers) =>
		await doing(answers, async (requests) => await findCandidates(requests, row));

	it('are what the search by its alias finds', async () => {
		const row = rowOf('upsert', { alias: 'a', url: 'https://e.com' });
		const { result, sent } = await candidates(row, account('a', 'xa', 'b'));
		expect(ids(result)).toEqual([1, 2]);
		expect(sent).toEqual(['GET /links search=a search_by=alias']);
		const own = await doing(
			account('a', 'xa', 'A'),
			async (requests) => await findOwn(requests, row),
		);
		expect(ids(own.result)).toEqual([1]);
	});

	it('are none for a row without an alias', async () => {
		const row = { ...rowOf('upsert', { alias: 'a', url: 'https://e.com' }), fields: [] };
		expect(await candidates(row, account('a'))).toEqual({ result: [], sent: [] });
	});

	it('are the link of its ID', async () => {
		const row = rowOf('get', { linkId: '2' });
		const { result, sent } = await candidates(row, account('a', 'b'));
		expect(ids(result)).toEqual([2]);
		expect(sent).toEqual(['GET /links/2']);
		expect((await candidates(row, account('a'))).result).toEqual([]);
	});

	it('fail if the link of its ID cannot be read', async () => {
		const { result } = await candidates(rowOf('get', { linkId: '2' }), () => ({ status: 403 }));
		expect(result).toMatchObject({ failure: { statusCode: 403 } });
	});

	it('are what the search by its short URL finds', async () => {
		const row = referring('https://short.example/b');
		const { result, sent } = await candidates(row, account('a', 'b', 'bb'));
		expect(ids(result)).toEqual([2, 3]);
		expect(sent).toEqual(['GET /links search=b search_by=alias']);
	});

	it('are found by each form of a destination', async () => {
		const row = rowOf('upsert', { alias: 'a', url: 'https://e.com' }, { matchBy: 'url' });
		const { sent } = await candidates(row, account('a'));
		expect(sent.length).toBeGreaterThan(0);
		for (const request of sent) expect(request).toMatch(/search_by=url$/);
	});
});

describe('a link that the service does not know by its ID', () => {
	const missing = rejection('Not found', 'Look.', { statusCode: 404 });

	it.each([
		[
			'5',
			'Check the ID, or choose the link from the list. If every item fails like this, check Base URL in the credential.',
		],
		[
			'spring',
			'Check the ID, or choose the link from the list. IDs are usually numbers. For another text, choose By Short URL or By Alias. If every item fails like this, check Base URL in the credential.',
		],
	])('is named with a remedy: %s', async (id, advice) => {
		const error: unknown = await answerOfId(linkContract, id, Promise.reject(missing)).catch(
			(reason: unknown) => reason,
		);
		expect(error).toBeInstanceOf(ServiceError);
		const { failure } = error as ServiceError;
		expect(failure).toMatchObject({ message: `No link has the ID ${id}`, statusCode: 404 });
		expect(failure.advice).toBe(advice);
	});

	it('is named without a short URL if the resource has none', async () => {
		await expect(answerOfId(pixelContract, 'x', Promise.reject(missing))).rejects.toMatchObject({
			failure: {
				message: 'No pixel has the ID x',
				advice:
					'Check the ID, or choose the pixel from the list. If every item fails like this, check Base URL in the credential.',
			},
		});
	});

	it.each([
		rejection('Not found', 'Look.', { statusCode: 404, outcome: 'unknown' }),
		rejection('Refused', 'Look.', { statusCode: 403 }),
	])('is not what another failure says: %s', async (failure) => {
		await expect(answerOfId(linkContract, '5', Promise.reject(failure))).rejects.toBe(failure);
	});

	it('is not what an answer says', async () => {
		expect(await answerOfId(linkContract, '5', Promise.resolve('answer'))).toBe('answer');
	});
});

it.each<[id: string, answered: unknown, message: string | undefined]>([
	['5', 5, undefined],
	['5', '5', undefined],
	['5', 6, 'The service returned the link 6 instead of 5'],
])('reads the link %s, answered with %p', async (id, answered, message) => {
	const { result } = await doing(
		() => ({ body: { data: { id: answered } } }),
		async (requests) => await readById(requests, linkContract, id),
	);
	if (message === undefined) expect(result).toEqual({ id: answered });
	else {
		expect(result).toMatchObject({
			failure: {
				message,
				advice: 'Nothing was changed. Check the ID, and Base URL in the credential.',
			},
		});
	}
});

describe('the link of a short URL', () => {
	const resolved = async (text: string, answers: Answers) => {
		const row = referring(text);
		const { result, sent } = await doing(
			answers,
			async (requests) => await resolveId(requests, row),
		);
		return { result, sent };
	};

	it('is found', async () => {
		expect((await resolved('https://short.example/b', account('a', 'b', 'bb'))).result).toBe('2');
	});

	it('is missing', async () => {
		expect((await resolved('https://short.example/c', account('a'))).result).toMatchObject({
			failure: {
				message: 'No link has the short URL https://short.example/c',
				advice: 'Check its spelling, or choose the link from the list.',
				statusCode: 404,
			},
		});
	});

	it('is ambiguous', async () => {
		const three = () => ({ body: { data: [1, 2, 3].map((id) => linkLike({ id })) } });
		const { result } = await resolved('https://short.example/a', three);
		expect(result).toMatchObject({
			failure: {
				message:
					'3 links have the short URL https://short.example/a: a (ID 1) on short.example, a (ID 2) on short.example, a (ID 3) on short.example',
				advice: 'Choose the link from the list, or enter its ID.',
			},
		});
		expect((result as ServiceError).failure.statusCode).toBeUndefined();
	});

	it('is missing if it has no ID that can be sent', async () => {
		const row = referring('https://short.example/a');
		const { result } = await doing(
			() => ({ body: { data: [linkLike({ id: true })] } }),
			async (requests) => await findReferenced(requests, row, row.reference as never),
		);
		expect(result).toMatchObject({ failure: { statusCode: 404 } });
	});

	it('is not looked for if the row gives an ID', async () => {
		const { result, sent } = await doing(
			account('a'),
			async (requests) => await resolveId(requests, rowOf('get', { linkId: '5' })),
		);
		expect([result, sent]).toEqual(['5', []]);
	});
});
