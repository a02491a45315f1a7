import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';
import { linkContract } from '../../../../nodes/Link/link.contract';
import { pixelContract } from '../../../../nodes/Pixel/pixel.contract';
import type { Send, Service } from '../../../../nodes/shared/transport/exchange';
import { encodeOptions } from '../../../support/encodeOptions.ts';
import { executeOn } from '../../../support/client.ts';
import { encodeRow } from '../../../../nodes/shared/contract/encodeRow';
import type { Parameters } from '../../../../nodes/shared/contract/types';
import type { ResourceContract } from '../../../../nodes/shared/contract/resourceTypes';
import * as spec from '../../../spec.ts';

/** A request as it arrived, byte for byte. Every byte of a correct one is ASCII. */
interface Arrived {
	readonly method?: string;
	readonly target?: string;
	readonly headers: IncomingMessage['headers'];
	readonly body: string;
}

const arrived: Arrived[] = [];
const agent = new Agent();
let server: Server;
let service: Service;

const send: Send = async ({ url, method, headers, form }) => {
	const answer = await request(url, {
		method,
		headers,
		body: form?.toString() ?? null,
		dispatcher: agent,
	});
	return { status: answer.statusCode, headers: {}, body: await answer.body.text() };
};

beforeAll(async () => {
	server = createServer((incoming, outgoing) => {
		const chunks: Buffer[] = [];
		incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
		incoming.on('end', () => {
			const { method, url: target, headers } = incoming;
			arrived.push({ method, target, headers, body: Buffer.concat(chunks).toString('latin1') });
			const isList = method === 'GET' && /\/(links|pixels)(\?|$)/.test(String(target));
			outgoing.setHeader('Content-Type', 'application/json');
			// The requested resource.
			const [, id = '1'] = /\/(?:links|pixels)\/([^/?]+)/.exec(String(target)) ?? [];
			const data = isList ? [] : { id: decodeURIComponent(id) };
			outgoing.end(JSON.stringify({ data, status: 200 }));
		});
	});
	await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
	const { port } = server.address() as AddressInfo;
	service = { root: `http://127.0.0.1:${port}/api/v1`, send };
});

afterAll(async () => {
	await agent.close();
	await new Promise((closed) => server.close(closed));
});

/** Encodes and sends one row, and returns the one request that arrived for it. */
async function sent(
	contract: ResourceContract,
	operation: spec.SpecEndpoint['operation'],
	parameters: Parameters,
): Promise<Arrived> {
	const row = encodeRow({ contract, operation, options: encodeOptions }, parameters);
	if (!('contract' in row)) throw new Error(JSON.stringify(row));
	arrived.length = 0;
	await executeOn(service, row);
	const [only, ...more] = arrived;
	if (!only || more.length > 0) throw new Error(`${arrived.length} requests arrived`);
	return only;
}

/** The header names that arrived and are ours; the others belong to the connection. */
const headersOf = ({ headers }: Arrived) =>
	Object.fromEntries(
		Object.entries(headers).filter(
			([name]) => !['host', 'connection', 'content-length', 'transfer-encoding'].includes(name),
		),
	);

const readHeaders = spec.readHeaders;
const writeHeaders = { ...spec.readHeaders, 'content-type': spec.writeContentType };

/** Some values of a row, the bytes of their part of a body or query, and what a decoder must make of them. */
interface Golden {
	readonly of: string;
	readonly values: Parameters;
	readonly bytes: string;
	readonly decoded: unknown;
}

const awkward = 'a b&c=d+e%41;é ß 東京 😀"\'<>#?/\\[]~';
const awkwardBytes =
	'a+b%26c%3Dd%2Be%2541%3B%C3%A9+%C3%9F+%E6%9D%B1%E4%BA%AC+%F0%9F%98%80%22%27%3C%3E%23%3F%2F%5C%5B%5D%7E';

const writtenLinkFields: Golden[] = [
	{
		of: 'alias',
		values: { alias: 'spring-sale_1' },
		bytes: 'alias=spring-sale_1',
		decoded: { alias: 'spring-sale_1' },
	},
	{
		of: 'alias as a number',
		values: { alias: 2030 },
		bytes: 'alias=2030',
		decoded: { alias: '2030' },
	},
	{
		of: 'alias with awkward text',
		values: { alias: awkward },
		bytes: `alias=${awkwardBytes}`,
		decoded: { alias: awkward },
	},
	{
		of: 'password with awkward text',
		values: { password: awkward },
		bytes: `password=${awkwardBytes}`,
		decoded: { password: awkward },
	},
	{
		of: 'spaceId as a locator',
		values: { spaceId: { __rl: true, mode: 'id', value: ' 4 ' } },
		bytes: 'space_id=4',
		decoded: { space_id: '4' },
	},
	{
		of: 'spaceId as a number',
		values: { spaceId: 4 },
		bytes: 'space_id=4',
		decoded: { space_id: '4' },
	},
	{
		of: 'one of pixelIds',
		values: { pixelIds: '3' },
		bytes: 'pixel_ids%5B%5D=3',
		decoded: { pixel_ids: ['3'] },
	},
	{
		of: 'pixelIds as comma-separated text',
		values: { pixelIds: '3, 8,21' },
		bytes: 'pixel_ids%5B%5D=3&pixel_ids%5B%5D=8&pixel_ids%5B%5D=21',
		decoded: { pixel_ids: ['3', '8', '21'] },
	},
	{
		of: 'pixelIds as an array',
		values: { pixelIds: [3, '8'] },
		bytes: 'pixel_ids%5B%5D=3&pixel_ids%5B%5D=8',
		decoded: { pixel_ids: ['3', '8'] },
	},
	{
		of: 'disabled: true',
		values: { disabled: true },
		bytes: 'disabled=1',
		decoded: { disabled: '1' },
	},
	{
		of: 'disabled: false',
		values: { disabled: false },
		bytes: 'disabled=0',
		decoded: { disabled: '0' },
	},
	{
		of: 'privacy: 0',
		values: { privacy: 0 },
		bytes: 'privacy=0',
		decoded: { privacy: '0' },
	},
	{
		of: 'privacy with its password',
		values: { privacy: 2, privacyPassword: awkward },
		bytes: `privacy=2&privacy_password=${awkwardBytes}`,
		decoded: { privacy: '2', privacy_password: awkward },
	},
	{
		of: 'expirationUrl',
		values: { expirationUrl: 'https://example.com/over?a=1&b=ü' },
		bytes: 'expiration_url=https%3A%2F%2Fexample.com%2Fover%3Fa%3D1%26b%3D%C3%BC',
		decoded: { expiration_url: 'https://example.com/over?a=1&b=ü' },
	},
	{
		of: 'expiration',
		values: { expiration: '2030-12-31' },
		bytes: 'expiration_date=2030-12-31&expiration_time=23%3A59',
		decoded: { expiration_date: '2030-12-31', expiration_time: '23:59' },
	},
	{
		of: 'expirationClicks: 0',
		values: { expirationClicks: 0 },
		bytes: 'expiration_clicks=0',
		decoded: { expiration_clicks: '0' },
	},
	{
		of: 'expirationClicks: 999999999',
		values: { expirationClicks: 999999999 },
		bytes: 'expiration_clicks=999999999',
		decoded: { expiration_clicks: '999999999' },
	},
	{
		of: 'targetType: 0',
		values: { targetType: 0 },
		bytes: 'target_type=0',
		decoded: { target_type: '0' },
	},
	{
		of: 'country rules',
		values: {
			targetType: 1,
			country: {
				rules: [
					{ key: 'US', value: 'https://example.com/us?x=1&y=2' },
					{ key: 'DE', value: 'https://example.com/de' },
				],
			},
		},
		bytes:
			'country%5B0%5D%5Bkey%5D=US&country%5B0%5D%5Bvalue%5D=https%3A%2F%2Fexample.com%2Fus%3Fx%3D1%26y%3D2' +
			'&country%5B1%5D%5Bkey%5D=DE&country%5B1%5D%5Bvalue%5D=https%3A%2F%2Fexample.com%2Fde' +
			'&target_type=1',
		decoded: {
			country: [
				{ key: 'US', value: 'https://example.com/us?x=1&y=2' },
				{ key: 'DE', value: 'https://example.com/de' },
			],
			target_type: '1',
		},
	},
	{
		of: 'platform rules',
		values: {
			targetType: 2,
			platform: {
				rules: [
					{ key: 'OS X', value: 'https://example.com/mac' },
					{ key: 'iOS', value: 'https://example.com/ios' },
				],
			},
		},
		bytes:
			'platform%5B0%5D%5Bkey%5D=OS+X&platform%5B0%5D%5Bvalue%5D=https%3A%2F%2Fexample.com%2Fmac' +
			'&platform%5B1%5D%5Bkey%5D=iOS&platform%5B1%5D%5Bvalue%5D=https%3A%2F%2Fexample.com%2Fios' +
			'&target_type=2',
		decoded: {
			platform: [
				{ key: 'OS X', value: 'https://example.com/mac' },
				{ key: 'iOS', value: 'https://example.com/ios' },
			],
			target_type: '2',
		},
	},
	{
		of: 'language rules',
		values: {
			targetType: 3,
			language: { rules: [{ key: 'de', value: 'https://example.com/größe+1' }] },
		},
		bytes:
			'language%5B0%5D%5Bkey%5D=de&language%5B0%5D%5Bvalue%5D=https%3A%2F%2Fexample.com%2Fgr%C3%B6%C3%9Fe%2B1' +
			'&target_type=3',
		decoded: {
			language: [{ key: 'de', value: 'https://example.com/größe+1' }],
			target_type: '3',
		},
	},
	{
		of: 'rotation rules, of which two are the same',
		values: {
			targetType: 4,
			rotation: {
				rules: [
					{ value: 'https://example.com/a' },
					{ value: 'https://example.com/b' },
					{ value: 'https://example.com/a' },
				],
			},
		},
		bytes:
			'rotation%5B0%5D%5Bvalue%5D=https%3A%2F%2Fexample.com%2Fa' +
			'&rotation%5B1%5D%5Bvalue%5D=https%3A%2F%2Fexample.com%2Fb' +
			'&rotation%5B2%5D%5Bvalue%5D=https%3A%2F%2Fexample.com%2Fa' +
			'&target_type=4',
		decoded: {
			rotation: [
				{ value: 'https://example.com/a' },
				{ value: 'https://example.com/b' },
				{ value: 'https://example.com/a' },
			],
			target_type: '4',
		},
	},
	{
		of: 'rules as the bare list that an expression gives',
		values: { targetType: '4', rotation: [{ value: 'https://example.com/a' }] },
		bytes: 'rotation%5B0%5D%5Bvalue%5D=https%3A%2F%2Fexample.com%2Fa&target_type=4',
		decoded: { rotation: [{ value: 'https://example.com/a' }], target_type: '4' },
	},
];

/** Fields of the interface without a case above, such as a new one. The case sends the last allowed value, or a 7. */
const otherLinkFields = spec
	.fieldsOn(spec.link, 'update')
	.filter(
		({ key, param }) =>
			key !== 'url' && writtenLinkFields.every(({ values }) => !(param in values)),
	)
	.map(({ key, param, values = [] }): Golden => {
		const text = values.at(-1) ?? '7';
		const [bytes, decoded] = [`${key}=${text}`, { [key]: text }];
		return { of: param, values: { [param]: text }, bytes, decoded };
	});

const linkFields = [...writtenLinkFields, ...otherLinkFields];

const destination = 'https://example.com/a b?x=1&y=2+3%25#ü😀';
const destinationBytes =
	'url=https%3A%2F%2Fexample.com%2Fa+b%3Fx%3D1%26y%3D2%2B3%2525%23%C3%BC%F0%9F%98%80';

const linkUrl: Golden = {
	of: 'url',
	values: { url: destination },
	bytes: destinationBytes,
	decoded: { url: destination },
};

const linkDomain: Golden = {
	of: 'domainId',
	values: { domainId: { __rl: true, mode: 'id', value: '3' } },
	bytes: 'domain_id=3',
	decoded: { domain_id: '3' },
};

const pixelFields: Golden[] = [
	{
		of: 'name with awkward text',
		values: { name: awkward },
		bytes: `name=${awkwardBytes}`,
		decoded: { name: awkward },
	},
	{
		of: 'type',
		values: { type: 'google-tag-manager' },
		bytes: 'type=google-tag-manager',
		decoded: { type: 'google-tag-manager' },
	},
	{
		of: 'value as text',
		values: { value: 'GTM-1_A' },
		bytes: 'value=GTM-1_A',
		decoded: { value: 'GTM-1_A' },
	},
	{
		of: 'value as a number',
		values: { value: 1234567890123 },
		bytes: 'value=1234567890123',
		decoded: { value: '1234567890123' },
	},
];

const pixelWhole: Golden = {
	of: 'all three fields',
	values: { name: 'Spring é', type: 'facebook', value: '123' },
	bytes: 'name=Spring+%C3%A9&type=facebook&value=123',
	decoded: { name: 'Spring é', type: 'facebook', value: '123' },
};

const merged = (first: Golden, second: Golden): Golden => ({
	of: `${first.of} and ${second.of}`,
	values: { ...first.values, ...second.values },
	bytes: `${first.bytes}&${second.bytes}`,
	decoded: Object.assign({}, first.decoded, second.decoded),
});

/** One golden request of a write: the parameters of the row, and the body that must arrive. */
interface Write {
	readonly title: string;
	readonly contract: ResourceContract;
	readonly operation: spec.SpecOperation;
	readonly parameters: Parameters;
	readonly golden: Golden;
}

const writes: Write[] = [
	...[linkUrl, merged(linkUrl, linkDomain)].map((golden) => ({
		title: `link create: ${golden.of}`,
		contract: linkContract,
		operation: 'create' as const,
		parameters: golden.values,
		golden,
	})),
	...linkFields.map((golden) => ({
		title: `link create: ${golden.of}`,
		contract: linkContract,
		operation: 'create' as const,
		parameters: {
			url: destination,
			...('alias' in golden.values ? golden.values : { additionalFields: golden.values }),
		},
		golden: merged(linkUrl, golden),
	})),
	...[linkUrl, ...linkFields].map((golden) => ({
		title: `link update: ${golden.of}`,
		contract: linkContract,
		operation: 'update' as const,
		parameters: { linkId: '7', updateFields: golden.values },
		golden,
	})),
	{
		title: 'pixel create: all three fields',
		contract: pixelContract,
		operation: 'create',
		parameters: pixelWhole.values,
		golden: pixelWhole,
	},
	...[pixelWhole, ...pixelFields].map((golden) => ({
		title: `pixel update: ${golden.of}`,
		contract: pixelContract,
		operation: 'update' as const,
		parameters: { pixelId: 7, updateFields: golden.values },
		golden,
	})),
];

const writeTargets: Record<string, string> = {
	'link create': 'POST /api/v1/links',
	'link update': 'PUT /api/v1/links/7',
	'pixel create': 'POST /api/v1/pixels',
	'pixel update': 'PUT /api/v1/pixels/7',
};

describe('the bytes of a write', () => {
	it.each(writes)('$title', async ({ contract, operation, parameters, golden }) => {
		const request = await sent(contract, operation, parameters);
		const target = writeTargets[`${contract.value} ${operation}`];
		expect(`${request.method} ${request.target}`).toBe(target);
		expect(headersOf(request)).toEqual(writeHeaders);
		expect(request.headers['content-length']).toBe(String(golden.bytes.length));
		expect(request.body).toBe(golden.bytes);
	});

	it.each([spec.link, spec.pixel])('are tested for every field of $name', (resource) => {
		for (const operation of ['create', 'update'] as const) {
			const pinned = writes.filter(
				(write) => write.contract.value === resource.name && write.operation === operation,
			);
			const params = new Set(pinned.flatMap(({ golden }) => Object.keys(golden.values)));
			const expected = spec.fieldsOn(resource, operation).map(({ param }) => param);
			expect([...params].sort()).toEqual(expected.sort());
		}
	});

	it('contain no unset field', async () => {
		const names = linkFields
			.flatMap(({ values }) => Object.keys(values))
			.filter((name) => name !== 'alias');
		for (const unset of [undefined, null, '', { __rl: true, mode: 'id', value: '' }]) {
			const additionalFields = Object.fromEntries(names.map((name) => [name, unset]));
			const parameters = { url: destination, domainId: unset, alias: unset, additionalFields };
			expect((await sent(linkContract, 'create', parameters)).body).toBe(destinationBytes);
		}
	});

	it('contain no empty list', async () => {
		const additionalFields = { country: {}, rotation: { rules: [] }, pixelIds: [] };
		const { body } = await sent(linkContract, 'create', { url: destination, additionalFields });
		expect(body).toBe(destinationBytes);
	});

	it('address the link of the row, regardless of a field of the same name in a collection', async () => {
		const updateFields = { alias: 'new', linkId: '8', id: '8' };
		const { target, body } = await sent(linkContract, 'update', { linkId: '7', updateFields });
		expect(target).toBe('/api/v1/links/7');
		expect(body).toBe('alias=new');
	});

	it('never change the domain of a link', async () => {
		const updateFields = { alias: 'new', domainId: '3', domain_id: '3', domain: '3' };
		const { body } = await sent(linkContract, 'update', { linkId: 7, updateFields, domainId: '3' });
		expect(body).toBe('alias=new');
	});
});

interface Query {
	readonly of: string;
	readonly values: Parameters;
	readonly bytes: string;
}

const linkQueries: Query[] = [
	{ of: 'no filter', values: {}, bytes: '' },
	{
		of: 'search',
		values: { search: awkward, searchBy: 'title' },
		bytes: `search=${awkwardBytes}&search_by=title&`,
	},
	{ of: 'searchBy', values: { searchBy: 'alias' }, bytes: 'search_by=alias&' },
	{ of: 'status 0', values: { status: 0 }, bytes: 'status=0&' },
	{ of: 'status 3', values: { status: '3' }, bytes: 'status=3&' },
	{ of: 'spaceId', values: { spaceId: { __rl: true, value: 4 } }, bytes: 'space_id=4&' },
	{ of: 'domainId', values: { domainId: '5' }, bytes: 'domain_id=5&' },
	{ of: 'pixelId', values: { pixelId: ' 6' }, bytes: 'pixel_id=6&' },
	{ of: 'sortBy', values: { sortBy: 'clicks' }, bytes: 'sort_by=clicks&' },
	{ of: 'sort', values: { sort: 'asc' }, bytes: 'sort=asc&' },
	{
		of: 'unset filters',
		values: { search: '', searchBy: null, status: undefined, spaceId: { __rl: true, value: '' } },
		bytes: '',
	},
];

const pixelQueries: Query[] = [
	{ of: 'no filter', values: {}, bytes: '' },
	{ of: 'search', values: { search: 'a b&c' }, bytes: 'search=a+b%26c&' },
	{ of: 'searchBy', values: { searchBy: 'name' }, bytes: 'search_by=name&' },
	{ of: 'type', values: { type: 'google-ads' }, bytes: 'type=google-ads&' },
	{ of: 'sortBy', values: { sortBy: 'name' }, bytes: 'sort_by=name&' },
	{ of: 'sort', values: { sort: 'desc' }, bytes: 'sort=desc&' },
];

const lists: [string, ResourceContract, spec.SpecResource, Query[]][] = [
	['links', linkContract, spec.link, linkQueries],
	['pixels', pixelContract, spec.pixel, pixelQueries],
];

/** Values in the collections in which the form has them. */
const placed = (resource: spec.SpecResource, values: Parameters) => {
	const isIn = (place: string) => (name: string) =>
		resource.fields.some(({ param, on }) => param === name && on.getAll === place);
	const some = (place: string) =>
		Object.fromEntries(Object.entries(values).filter(([name]) => isIn(place)(name)));
	return { filters: some('filters'), sorting: some('sorting') };
};

describe.each(lists)('the bytes of a list of %s', (plural, contract, resource, queries) => {
	it.each(queries)('$of', async ({ values, bytes }) => {
		const request = await sent(contract, 'getAll', { limit: 50, ...placed(resource, values) });
		expect(request.method).toBe('GET');
		expect(request.target).toBe(`/api/v1/${plural}?${bytes}per_page=50&page=1`);
		expect(headersOf(request)).toEqual(readHeaders);
		expect(request.body).toBe('');
	});

	it('are tested for every parameter', () => {
		const params = new Set(queries.flatMap(({ values }) => Object.keys(values)));
		const expected = spec.fieldsOn(resource, 'getAll').map(({ param }) => param);
		expect([...params].sort()).toEqual(expected.sort());
	});
});

interface Single {
	readonly contract: ResourceContract;
	readonly operation: 'delete' | 'get';
	readonly id: unknown;
	readonly line: string;
}

const single: Single[] = [
	{ contract: linkContract, operation: 'get', id: '7', line: 'GET /api/v1/links/7' },
	{
		contract: linkContract,
		operation: 'delete',
		id: { __rl: true, mode: 'id', value: 7 },
		line: 'DELETE /api/v1/links/7',
	},
	{ contract: pixelContract, operation: 'get', id: 7, line: 'GET /api/v1/pixels/7' },
	{ contract: pixelContract, operation: 'delete', id: ' 7 ', line: 'DELETE /api/v1/pixels/7' },
	...[
		['a/b?c#d e%', 'a%2Fb%3Fc%23d%20e%25'],
		['../pixels/1', '..%2Fpixels%2F1'],
		['é😀', '%C3%A9%F0%9F%98%80'],
		['%2e%2e', '%252e%252e'],
		['$&', '%24%26'],
	].map(([id, segment]) => ({
		contract: linkContract,
		operation: 'delete' as const,
		id,
		line: `DELETE /api/v1/links/${segment}`,
	})),
];

describe('the bytes of a request for one resource', () => {
	it.each(single)('$line', async ({ contract, operation, id, line }) => {
		const request = await sent(contract, operation, { [contract.id.name]: id });
		expect(`${request.method} ${request.target}`).toBe(line);
		expect(headersOf(request)).toEqual(readHeaders);
		expect(request.body).toBe('');
	});
});
