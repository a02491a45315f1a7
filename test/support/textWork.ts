import type { IDataObject } from 'n8n-workflow';
import { withQuery } from '../../nodes/Link/fields/destination';
import { shortUrl } from '../../nodes/Link/fields/shortUrl';
import { linkContract } from '../../nodes/Link/link.contract';
import { pixelContract, pixelNames } from '../../nodes/Pixel/pixel.contract';
import { decodeIds } from '../../nodes/LinkTrigger/encoding';
import { readState } from '../../nodes/LinkTrigger/pollState';
import {
	columnsHint,
	columnTargets,
	mapColumns,
	similarTargetFinder,
} from '../../nodes/shared/contract/columns';
import {
	compare,
	compareResponse,
	isSame,
	mayBeCreatedBy,
} from '../../nodes/shared/contract/compare';
import { finishRow } from '../../nodes/shared/contract/encode';
import { isEncoded, type EncodedRow } from '../../nodes/shared/contract/encodedRow';
import { nameFinder } from '../../nodes/shared/contract/names';
import { isOtherId } from '../../nodes/shared/contract/readers';
import type { ResourceContract } from '../../nodes/shared/contract/resourceTypes';
import type { OperationName, Problem } from '../../nodes/shared/contract/types';
import { countryCode, languageCode } from '../../nodes/shared/description/codes';
import { cutText, firstTexts } from '../../nodes/shared/contract/wording';
import {
	fieldErrorText,
	invalidRow,
	invalidRowsError,
	limitFieldErrors,
} from '../../nodes/shared/execute/errors';
import { RowNumbers } from '../../nodes/shared/execute/sheet';
import { ListIndex } from '../../nodes/shared/operations/find';
import { planningWriter } from '../../nodes/shared/operations/planningWriter';
import { ResponseChecks } from '../../nodes/shared/operations/responses';
import { apiRoot } from '../../nodes/shared/transport/account';
import { httpExchange } from '../../nodes/shared/transport/exchange';
import { statusFailure } from '../../nodes/shared/transport/explanations';
import { readPage } from '../../nodes/shared/transport/pages';
import { rateLimitOf, retryAfterOf } from '../../nodes/shared/transport/rateLimitHeaders';
import type { RowRequests } from '../../nodes/shared/transport/rowRequests';
import { rowSecrets, secretMask } from '../../nodes/shared/transport/secrets';
import { draftOf, encodeOptions, encodeRow } from './encodeRow.ts';
import { nodeLike } from './execution.ts';

/** Work on a text, and what it is called. */
export type NamedWork = readonly [name: string, work: (text: string) => unknown];

const contracts = [linkContract, pixelContract];
const options = { ...encodeOptions, takesColumns: true };

/** Names of which none is the text that is looked up among them. */
const findName = nameFinder(
	new Map(
		contracts
			.flatMap(({ fields }) => fields)
			.flatMap(({ wire: { nameSource } }) =>
				nameSource ? [[nameSource, { named: [{ id: 1, name: 'Spring campaign' }] }]] : [],
			),
	),
);

/** Returns parameters in which each field of an operation, and each part of the scope, has the same value. */
function parametersOf(contract: ResourceContract, operation: OperationName, value: unknown) {
	const places = [
		...contract.fields.map(({ name, wire: { on } }) => ({ name, place: on[operation] })),
		...contract.sync.scope.map(({ name }) => ({ name, place: 'syncScope' as const })),
	];
	const parameters: Record<string, unknown> = { [contract.id.name]: value };
	for (const { name, place } of places) {
		if (place === 'top') parameters[name] = value;
		else if (place) parameters[place] = { ...(parameters[place] as object), [name]: value };
	}
	return parameters;
}

/** Returns a resource that has the text wherever it may have one. */
function resourceOf({ fields, output }: ResourceContract, text: string): IDataObject {
	const nested = { id: text, name: text, key: text, value: text };
	const keys = fields.flatMap(({ wire: { key } }) => [key, `${key}_target`]);
	const texts = [...keys, ...output.map(({ name }) => name), 'title', 'short_url', 'ends_at'];
	return {
		...Object.fromEntries([...texts, 'created_at', 'updated_at'].map((key) => [key, text])),
		...{ id: text, clicks: text, domain: nested, space: nested, pixels: [nested, text] },
		...{ country_target: [nested], rotation_target: [nested] },
	};
}

/** Makes all messages about an invalid row, alone and with others of the same. */
function report(contract: ResourceContract, encoded: readonly Problem[]): void {
	const rows = [0, 1, 2].map((index) => ({ index, encoded, name: encoded[0]?.value }));
	const numbers = new RowNumbers([], true);
	const context = { node: nodeLike(), contract, numbers, rows: [0, 1, 2] };
	invalidRow({ index: 0, encoded });
	for (const count of [1, 3]) invalidRowsError(context, rows.slice(0, count), []);
}

/** Makes what a dry run shows of a row that creates a resource, or changes one. It sends no request. */
async function plan(row: EncodedRow, before?: IDataObject): Promise<void> {
	const writer = planningWriter(new ResponseChecks(row.contract));
	const requests = {} as RowRequests;
	const update = { id: '1', fields: row.fields, outcome: 'updated' } as const;
	await (before
		? writer.write(requests, row, { ...update, before })
		: writer.write(requests, row, { outcome: 'created' }));
}

/** Encodes a row, and makes of it what a dry run shows, or the messages about it. */
function work(contract: ResourceContract, operation: OperationName, value: unknown): void {
	const parameters = parametersOf(contract, operation, value);
	const run = { contract, operation, options };
	const { row, problems } = finishRow(draftOf(run, parameters), findName);
	if (problems.length === 0) void plan(row);
	else report(contract, problems);
}

/** Works on the cells of a row of each operation, and on lists and objects in them. */
const rowWorks = contracts.flatMap((contract): NamedWork[] => [
	...contract.operations.map(
		({ value: operation }): NamedWork => [
			`row of ${contract.value} ${operation}`,
			(text) => work(contract, operation, text),
		],
	),
	...(['create', 'getAll'] as const).map(
		(operation): NamedWork => [
			`lists and objects of ${contract.value} ${operation}`,
			(text) => {
				work(contract, operation, [text, { key: text, value: text }]);
				work(contract, operation, { [text]: text });
			},
		],
	),
]);

/** Returns a row whose texts are ordinary, to be compared with what a service answers. */
function ordinary(contract: ResourceContract): EncodedRow {
	const country = { rules: [{ key: 'DE', value: 'https://e.example' }] };
	const parameters = {
		...{ url: 'https://e.example', alias: 'one', domainId: 1 },
		...{ name: 'one', value: 'one', type: 'facebook' },
		additionalFields: {
			...{ expiration: '2031-01-10T11:00', country, pixelIds: [1], privacy: 1, disabled: true },
		},
	};
	const row = encodeRow({ contract, operation: 'upsert', options }, parameters);
	if (!isEncoded(row)) throw new Error(JSON.stringify(row));
	return row;
}

/** Works on what a service answers about the resource of a row, and on the output fields that it fills. */
const answerWorks = contracts.flatMap((contract): NamedWork[] => {
	const row = ordinary(contract);
	const known = new ListIndex([row]);
	return [
		[
			`comparison of a row with a ${contract.value}`,
			(text) => {
				const resource = resourceOf(contract, text);
				for (const matches of [isSame, mayBeCreatedBy]) matches(row, resource);
				known.isRequested(resource);
				for (const field of row.fields) compare(field, resource, row);
				void plan(row, resource);
			},
		],
		[
			`check of an answer about a ${contract.value}`,
			(text) => {
				const before = resourceOf(contract, `${text}!`);
				const answer = resourceOf(contract, text);
				for (const field of row.fields) compareResponse(field, answer, row, before);
			},
		],
		[
			`field errors about a ${contract.value}`,
			(text) => {
				const errors = { [text]: [text, text], [`country.0.${text}`]: [text] };
				return fieldErrorText(contract, row, errors);
			},
		],
		...contract.output.map(
			({ name, from }): NamedWork => [
				`reader of ${name}`,
				(text) => from.read(resourceOf(contract, text)),
			],
		),
	];
});

const request = { method: 'POST', url: 'https://e.example/api/v1/links', headers: {} } as const;

/** Headers that the package reads. */
const headerNames = [
	...['retry-after', 'date', 'location', 'x-ratelimit-limit', 'x-ratelimit-remaining'],
	'x-ratelimit-reset',
];

const headersOf = (text: string) => Object.fromEntries(headerNames.map((name) => [name, text]));

const answer = (body: string) => async () =>
	await Promise.resolve({ status: 200, headers: {}, body });

const mask = secretMask(['ab/c+d"e\\f=g-0123456789'], '[API key]');
const secrets = rowSecrets(['secret of a row']);
const serviceWith = (body: string) => ({ root: '', send: answer(body), mask });
const { signal } = new AbortController();

/** Works on headers, bodies, pages, and the credential. */
const transportWorks: NamedWork[] = [
	['headers', (text) => [rateLimitOf(headersOf(text)), retryAfterOf(headersOf(text))]],
	['a header with a limit', (text) => rateLimitOf({ 'x-ratelimit-limit': `10${text}` })],
	[
		'failed answers',
		(text) => {
			for (const status of [301, 404, 422, 429, 503]) {
				const body = { message: text, errors: { [text]: [text] } };
				statusFailure(request, { status, headers: headersOf(text), body, pageTitle: text });
			}
		},
	],
	[
		'bodies',
		async (text) => {
			for (const body of [text, JSON.stringify({ status: text })])
				await httpExchange(serviceWith(body), request, signal, secrets);
		},
	],
	['JSON without the key', (text) => mask.json({ a: text }, JSON.stringify({ a: text }))],
	['texts without the key', (text) => mask.text(text)],
	[
		'pages',
		(text) => {
			const page = { current_page: text, last_page: text, total: text, next_page_url: text };
			return [readPage({ data: [{ id: text }], meta: page }), readPage({ data: [], ...page })];
		},
	],
	['base URLs', (text) => [apiRoot(text), apiRoot(`https://e.example/${text}`)]],
];

/** Works on columns, names, texts that n8n stores, and what a trigger has stored. */
const otherWorks: NamedWork[] = [
	[
		'columns',
		(text) => {
			const fields = columnTargets(linkContract, 'create');
			const headings = [text, `url${text}`, `a,${text}`];
			const { map } = mapColumns(fields, headings);
			for (const heading of headings) similarTargetFinder(fields)(heading);
			columnsHint(linkContract, {
				...{ map, ignored: headings, secret: new Map(), unusedKeys: [], problems: [] },
				isExpression: () => false,
			});
		},
	],
	[
		'names of a list',
		(text) => {
			const list = { named: [{ id: 1, name: text }] };
			nameFinder(new Map([[pixelNames, list]]))(pixelNames, 'one', pixelContract.id);
		},
	],
	['IDs', (text) => [isOtherId(text, '12'), isOtherId('12', text)]],
	['countries', countryCode],
	['languages', languageCode],
	['URLs with parameters', (text) => withQuery(text, new Map([['utm_source', 'one']]))],
	[
		'references to links',
		(text) => {
			shortUrl.keysOf({ short_url: text, alias: text });
			for (const mode of ['alias', 'url']) shortUrl.read(text, linkContract.id, mode);
		},
	],
	['stored texts', (text) => [cutText(text, 750), firstTexts([text, text], 750)]],
	['stored errors', (text) => limitFieldErrors({ [text]: [text], url: [text, text] }, 400)],
	[
		'static data',
		(text) => {
			const texts = { startId: text, salt: text, scope: text, key: text, resumeAt: text };
			const parts = { created: { seen: text } };
			readState({ poll: { version: 3, ...texts, knownLinks: [], round: 0, parts } });
			try {
				decodeIds(text);
			} catch (error) {
				if (!(error instanceof SyntaxError)) throw error;
			}
		},
	],
];

/** All work on a text from a cell, a heading, a list, an answer, static data or a credential. */
export const textWorks: readonly NamedWork[] = [
	...rowWorks,
	...answerWorks,
	...transportWorks,
	...otherWorks,
];
