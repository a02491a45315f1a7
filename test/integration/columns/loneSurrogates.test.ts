import type { IDataObject } from 'n8n-workflow';
import { linkContract } from '../../../nodes/Link/link.contract';
import { pixelContract } from '../../../nodes/Pixel/pixel.contract';
import { encodeRow } from '../../../nodes/shared/contract/encodeRow';
import type { OperationName } from '../../../nodes/shared/contract/types';
import { isEncoded, paramsOf } from '../../../nodes/shared/contract/encodedRow';
import type { ResourceContract } from '../../../nodes/shared/contract/resourceTypes';
import { scopeParams } from '../../../nodes/shared/contract/scope';
import { encodeOptions } from '../../support/encodeOptions.ts';
import { PollingTrigger } from '../../support/pollingTrigger.ts';
import { apiKey, byId, useService } from '../../support/service.ts';

const { current, link, pixel } = useService();

/** The first half of an emoji, which a form would turn into a question mark in a box. */
const half = '\ud83d';
const text = `spring-${half}`;
const address = `https://example.com/${half}`;

const url = 'https://example.com/';
const advice = 'contains an incomplete character, such as a cut emoji; enter the whole text';

describe('half a character is refused before anything is sent', () => {
	it.each<[string, IDataObject]>([
		['Destination URL', { url: address }],
		['Alias', { alias: text }],
		['Password', { password: text }],
		['Statistics Password', { privacyPassword: text, privacy: 2 }],
		['Expiration Redirect URL', { expirationUrl: address }],
		['Country Rules rule 1: Destination URL', { 'Country Rules': `US=${address}` }],
		['Rotation Rules rule 2: Destination URL', { 'Rotation Rules': [url, address] }],
		['Country Rules', { 'Country Rules': { US: address } }],
		['UTM Parameters', { utm: { utm_source: text } }],
		['UTM Parameters', { utm_term: text }],
	])('in %s of a row', async (name, row) => {
		const options = { mapPasswords: true };
		const parameters = { mappingColumnMode: 'autoMapInputData', domainId: byId(1), options };
		const items = [{ url }, { url, ...row }];
		const { error } = await link('create', { items, parameters });
		expect(error?.message).toMatch(
			new RegExp(
				`^Item 2( \\(spring-.\\))?: ${name} .*${advice}, or add the column [\\w ]+ to Inputs to Ignore$`,
			),
		);
		expect(current().requests).toEqual([]);
	});

	it.each(['name', 'value'])('in the %s of a pixel', async (field) => {
		const parameters = { name: 'one', type: 'bing', value: 'v', [field]: text };
		const { error } = await pixel('create', { parameters });
		expect(error?.message).toMatch(
			new RegExp(`^(Item 1 .*: )?(Name|Tracking ID) "spring-.ud83d" ${advice}$`),
		);
		expect(current().requests).toEqual([]);
	});

	it.each<[string, string, IDataObject]>([
		['Search', 'getAll', { filters: { search: text } }],
		['Link', 'get', { linkId: { __rl: true, mode: 'url', value: `short.example/${half}` } }],
		['Alias Starts With', 'sync', { url, alias: 'one', syncScope: { aliasStartsWith: text } }],
	])('in %s', async (name, operation, parameters) => {
		const { error } = await link(operation, { parameters: parameters as never });
		expect(error?.message).toMatch(new RegExp(`${name} ".*ud83d" ${advice}$`));
		expect(current().requests).toEqual([]);
	});

	it('in a filter of a trigger', async () => {
		const parameters = { events: ['created'], filters: { aliasStartsWith: text } };
		const credential = { baseUrl: current().url, apiKey };
		const trigger = new PollingTrigger('classic', { node: 'linkTrigger', parameters, credential });
		expect((await trigger.activate()).error?.message).toMatch(
			new RegExp(`"spring-.ud83d" ${advice}$`),
		);
		expect(current().requests).toEqual([]);
	});
});

/** All texts that a row with this value in one parameter would send; none if the row is refused. */
function sentBy(
	contract: ResourceContract,
	operation: OperationName,
	name: string,
	value: unknown,
) {
	const places = ['additionalFields', 'updateFields', 'filters', 'sorting', 'syncScope'];
	const parameters = {
		...{ url, alias: 'one', name: 'one', type: 'bing', value: 'v', linkId: 1, pixelId: 1 },
		[name]: value,
		...Object.fromEntries(places.map((place) => [place, { [name]: value }])),
	};
	const row = encodeRow({ contract, operation, options: encodeOptions }, parameters);
	if (!isEncoded(row)) return [];
	const params = [...paramsOf(row.fields), ...scopeParams(row.scope)];
	return [...params.flat(), row.id ?? '', row.reference?.search ?? ''];
}

describe('no field of any operation sends half a character', () => {
	const values = [
		text,
		address,
		[text],
		[address],
		`US=${address}`,
		{ [text]: text },
		{ US: address },
	];

	it.each([linkContract, pixelContract].map((contract) => [contract.value, contract] as const))(
		'of a %s',
		(_, contract) => {
			const names = [
				contract.id,
				...contract.fields,
				...(contract.derivedFields ?? []),
				...contract.sync.scope,
			];
			const sent = contract.operations.flatMap(({ value: operation }) =>
				names.flatMap(({ name }) =>
					values.flatMap((value) => sentBy(contract, operation, name, value)),
				),
			);
			expect(sent.length).toBeGreaterThan(0);
			expect(sent.filter((one) => !one.isWellFormed())).toEqual([]);
		},
	);
});
