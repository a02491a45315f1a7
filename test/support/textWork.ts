import type { INode } from 'n8n-workflow';
import { expiration } from '../../nodes/Link/fields/expiration';
import { shortUrl } from '../../nodes/Link/fields/shortUrl';
import { withQuery } from '../../nodes/Link/fields/destination';
import { linkContract } from '../../nodes/Link/link.contract';
import { pixelContract, pixelNames } from '../../nodes/Pixel/pixel.contract';
import {
	columnTargets,
	mapColumns,
	similarTargetFinder,
} from '../../nodes/shared/contract/columns';
import { comparableUrl, isTidied } from '../../nodes/shared/contract/codecs/url';
import { Invalid } from '../../nodes/shared/contract/types';
import { nameFinder, replaceNames } from '../../nodes/shared/contract/names';
import { isOtherId } from '../../nodes/shared/contract/readers';
import type { Field } from '../../nodes/shared/contract/fieldTypes';
import { isEmptyDeep, listOf, quote, shorten } from '../../nodes/shared/contract/values';
import { countryCode, languageCode } from '../../nodes/shared/description/codes';
import { columnsHint } from '../../nodes/shared/execute/columnTexts';
import { limitFieldErrors } from '../../nodes/shared/execute/fieldErrors';
import { cutText, firstTexts } from '../../nodes/shared/execute/wording';
import { decodeIds } from '../../nodes/LinkTrigger/encoding';
import { readState } from '../../nodes/LinkTrigger/pollState';
import { apiRoot } from '../../nodes/shared/transport/account';
import { httpExchange } from '../../nodes/shared/transport/exchange';
import { rowSecrets, secretMask } from '../../nodes/shared/transport/secrets';
import { readPage } from '../../nodes/shared/transport/pages';
import { rateLimitOf, retryAfterOf } from '../../nodes/shared/transport/rateLimitHeaders';
import { statusFailure } from '../../nodes/shared/transport/explanations';
import { encodeOptions } from './encodeOptions.ts';
import type { NamedWork, Work } from './growth.ts';

const contracts = [linkContract, pixelContract];

/** Names of which none is the text that is looked up among them. */
const list = { named: [{ id: 1, name: 'Spring campaign' }] };

const fields = contracts.flatMap((contract) => contract.fields);

export const findName = nameFinder(
	new Map(fields.flatMap(({ wire }) => (wire.nameSource ? [[wire.nameSource, list]] : []))),
);

const codecWork = (field: Field): Work => {
	const { codec, nameSource: source } = field.wire;
	return (text) => {
		const values = codec(text, field);
		if (source && !(values instanceof Invalid))
			replaceNames([{ field, values }], findName, () => undefined);
	};
};

/** Each codec of the tables once, and of each field what makes a codec of it that is its own. */
const codecWorks = [
	...new Map(
		fields.map((field) => {
			const { codec, nameSource: source } = field.wire;
			const key = source ?? (field.options ? field : codec);
			return [key, [`codec of ${field.name}`, codecWork(field)] as const];
		}),
	).values(),
];

/** The readers of each output field, by the place that the text has in a resource. */
const readerWorks = contracts.flatMap(({ output }) =>
	output.map(({ name, from }): NamedWork => {
		const resource = (text: string) => {
			const nested = { id: text, name: text, key: text, value: text };
			const keys = fields.flatMap(({ wire: { key } }) => [key, `${key}_target`]);
			const texts = [...keys, 'title', 'alias', 'short_url', 'ends_at', 'created_at', 'updated_at'];
			return {
				...Object.fromEntries(texts.map((key) => [key, text])),
				...{ id: text, clicks: text, domain: nested, space: nested, pixels: [nested] },
				...{ country_target: [nested], rotation_target: [nested] },
			};
		};
		return [`reader of ${name}`, (text) => from.read(resource(text))];
	}),
);

const request = { method: 'POST', url: 'https://e.example/api/v1/links', headers: {} } as const;

/** Headers that the package reads. */
const headerNames = [
	...['retry-after', 'date', 'location', 'ratelimit', 'ratelimit-policy', 'ratelimit-limit'],
	...['ratelimit-remaining', 'ratelimit-reset', 'x-ratelimit-limit', 'x-ratelimit-remaining'],
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
	['a header with a limit', (text) => rateLimitOf({ ratelimit: `limit=10${text}` })],
	[
		'failed answers',
		(text) => {
			for (const status of [301, 404, 422, 429, 503]) {
				const body = { message: text, errors: { [text]: [text] } };
				statusFailure(request, { status, headers: headersOf(text), body, pageTitle: text });
			}
		},
	],
	['bodies', async (text) => await httpExchange(serviceWith(text), request, signal, secrets)],
	[
		'bodies with a text',
		async (text) =>
			await httpExchange(serviceWith(JSON.stringify({ status: text })), request, signal, secrets),
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

const property = { displayName: 'Text', name: 'text', type: 'string', default: '' } as const;

/** Works on columns, lists, names, addresses and dates by themselves. */
const contractWorks: NamedWork[] = [
	[
		'columns',
		(text) => {
			const fields = columnTargets(linkContract, 'create');
			const headings = [text, `url${text}`, `a,${text}`];
			const { map } = mapColumns(fields, headings);
			headings.forEach(similarTargetFinder(fields));
			columnsHint(linkContract, { map, ignored: headings, secret: [], unusedKeys: [] });
		},
	],
	['lists', (text) => [listOf(text), isEmptyDeep(text), isEmptyDeep({ one: [text] })]],
	['quotes', (text) => [shorten(text), quote(text, property), quote({ [text]: [text] }, property)]],
	['countries', countryCode],
	['languages', languageCode],
	[
		'names of a list',
		(text) => {
			const list = { named: [{ id: 1, name: text }] };
			nameFinder(new Map([[pixelNames, list]]))(pixelNames, 'one', pixelContract.id);
		},
	],
	['IDs', (text) => [isOtherId(text, '12'), isOtherId('12', text)]],
	['addresses', comparableUrl],
	['addresses that were tidied up', (text) => isTidied(text, text)],
	['addresses with parameters', (text) => withQuery(text, new Map([['utm_source', 'one']]))],
	['addresses of links', (text) => shortUrl.read(text, linkContract.id, 'url')],
	['aliases of links', (text) => shortUrl.read(text, linkContract.id, 'alias')],
	[
		'addresses of a link',
		(text) => {
			return shortUrl.keysOf({ short_url: text, alias: text });
		},
	],
	['expiries', (text) => expiration.wire.currentValue?.({ ends_at: text }, encodeOptions.timeZone)],
];

/** Works on texts that n8n stores, and on what a trigger has stored. */
const storageWorks: NamedWork[] = [
	['stored texts', (text) => [cutText(text, 750), firstTexts([text, text], 750)]],
	['field errors', (text) => limitFieldErrors({ [text]: [text], url: [text, text] }, 400)],
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

/** All that works on a text from a cell, a heading, a list, an answer, static data or a credential. */
export const textWorks: readonly NamedWork[] = [
	...codecWorks,
	...readerWorks,
	...transportWorks,
	...contractWorks,
	...storageWorks,
];

/** A node without anything of its own. */
export const plainNode: INode = {
	...{ id: '1', name: 'Link', type: 'link', typeVersion: 1, position: [0, 0], parameters: {} },
};
