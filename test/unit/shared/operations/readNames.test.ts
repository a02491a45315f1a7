import { pixelNames } from '../../../../nodes/Pixel/pixel.contract';
import { linkContract } from '../../../../nodes/Link/link.contract';
import { spaceNames } from '../../../../nodes/Link/link.locators';
import { nameFinder, type RequestedNames } from '../../../../nodes/shared/contract/names';
import type { Field } from '../../../../nodes/shared/contract/fieldTypes';
import { readNames } from '../../../../nodes/shared/operations/readNames';
import type { Send } from '../../../../nodes/shared/transport/exchange';
import { RowRequests } from '../../../../nodes/shared/transport/rowRequests';
import { clientOn } from '../../../support/client.ts';

const field = linkContract.fields.find(({ name }) => name === 'pixelIds') as Field;

const page = { data: [{ id: 1, space: { id: 3, name: 'Support' } }], meta: { last_page: 1 } };

/** Reads the lists of names over a way to the service. */
async function read(requested: RequestedNames, send: Send, signal?: AbortSignal) {
	const client = clientOn({ root: 'https://links.example/api/v1', send }, { signal });
	const requests = new RowRequests(client);
	try {
		return await readNames(requests, requested);
	} finally {
		requests.end();
		client.close();
	}
}

it('a list that cannot be read is refused, and the others are read', async () => {
	const requested = new Map([
		[pixelNames, new Set(['Spring'])],
		[spaceNames, new Set(['Support'])],
	]);
	const { lists, failures } = await read(requested, async ({ url }) => ({
		status: url.includes('/pixels') ? 403 : 200,
		headers: {},
		body: JSON.stringify(page),
	}));
	expect([...failures].map(([source, { statusCode }]) => [source, statusCode])).toEqual([
		[pixelNames, 403],
	]);
	const find = nameFinder(lists);
	expect(find(spaceNames, 'support', field)).toBe('3');
	expect(find(pixelNames, 'Spring', field)).toMatchObject({
		reasons: [
			{
				what: 'cannot be looked up, because the list of pixels could not be read: The service does not allow this for the account of the API key (HTTP 403); use the ID',
			},
		],
	});
});

it.each<[string, (canceled: AbortController) => void, number]>([
	['before it begins', (canceled) => canceled.abort(), 0],
	['during a request', () => undefined, 1],
])('a run that is canceled %s ends', async (_, begin, count) => {
	const canceled = new AbortController();
	let sent = 0;
	const send: Send = async () => {
		sent += 1;
		canceled.abort();
		throw Object.assign(new Error('canceled'), { code: 'ERR_CANCELED' });
	};
	begin(canceled);
	const requested = new Map([[pixelNames, new Set(['Spring'])]]);
	await expect(read(requested, send, canceled.signal)).rejects.toMatchObject({
		name: 'ServiceError',
	});
	expect(sent).toBe(count);
});
