import fc from 'fast-check';
import { ExpressionError, type IDataObject } from 'n8n-workflow';
import { CredentialsHelper, type NodeResult } from '../../support/n8n.ts';
import { sheetOn } from '../../support/mappedSheet.ts';
import {
	linkAs,
	oneOf,
	pageOf,
	useScriptedService,
	type HookedAnswer,
} from '../../support/scriptedService.ts';
import '../../support/randomTests.ts';
import { byId, continues, jsonOf, type Run } from '../../support/service.ts';
import { useTriggers } from '../../support/triggers.ts';

const { current, link, pixel, search, load } = useScriptedService();
const { trigger } = useTriggers();
const sheet = sheetOn(link);

/** Runs an operation of a sheet while the service answers everything in one way. */
const sheetAfter = async (answer: HookedAnswer, ...run: Parameters<typeof sheet>) => {
	current().follow(() => answer);
	return await sheet(...run);
};

const url = 'https://example.com/';
const image = '<img src="http://127.0.0.1:9/x">';
const signIn = '<a href="https://evil.example/">Sign in to n8n again</a>';

/** Control characters, line breaks, and what turns the direction of writing. */
const unprintable = /[\p{Cc}\u2028-\u202E\u2066-\u2069]/u;

const answers = (answer: HookedAnswer) => current().follow(() => answer);

const refusing = (message: string): HookedAnswer => ({ status: 403, body: { message } });

/** What n8n shows of a run outside of its items. */
function shownOf({ error, task }: NodeResult) {
	const description = error && 'description' in error ? error.description : undefined;
	return {
		message: error?.message ?? '',
		description: description ?? '',
		hints: (task.hints ?? []).map(({ message }) => message),
	};
}

/** A run in which a text from outside gets into what n8n shows. */
type Path = (text: string, run?: Run) => Promise<NodeResult>;

const paths = {
	'a column that came without a destination': async (text, run) =>
		await sheet('create', [{ [text]: 'x' }], run),
	'a column that looks like a field': async (text, run) =>
		await sheet('create', [{ url, [`slashtag ${text}`]: 'x' }], run),
	'a column in the hint': async (text, run) =>
		await sheetAfter(oneOf(linkAs({ url })), 'create', [{ url, [text]: 'x' }], run),
	'a cell': async (text, run) =>
		await sheet('create', [{ url: text }, { url: `${text} ` }, { url: `/${text}` }], run),
	'the alias of a wrong row': async (text, run) =>
		await sheet('create', [{ url: 'x' }, { alias: text, url: 'y' }], run),
	'a setting': async (text, run) =>
		await link('getAll', {
			...run,
			items: [{ text }],
			parameters: { output: '={{ $json.text }}' },
		}),
	'an operation': async (text, run) => await link(text, run),
	'a sentence of the service': async (text, run) => {
		answers(refusing(text));
		return await link('getAll', run);
	},
	'why a list of names cannot be read': async (text, run) =>
		await sheetAfter(refusing(text), 'create', [{ url, pixelIds: 'Shop' }], run),
	'a sentence in place of the data': async (text, run) => {
		answers(oneOf({ message: text }));
		return await link('get', { ...run, parameters: { linkId: byId(1) } });
	},
	'the name of a field and its error': async (text, run) => {
		const message = { [text]: [text], alias: [text] };
		return await sheetAfter(
			{ status: 422, body: { message } },
			'create',
			[{ url, alias: text }],
			run,
		);
	},
	'the ID and short URL of another link': async (text, run) => {
		const other = linkAs({ id: text, alias: text, short_url: text, url });
		const parameters = { options: { concurrency: 1 } };
		const rows = [{ url, alias: 'one' }, { url }];
		return await sheetAfter(oneOf(other), 'create', rows, { ...run, parameters });
	},
	'a value that the service stored instead': async (text, run) =>
		await sheetAfter(oneOf(linkAs({ url: text })), 'create', [{ url, alias: 'one' }], run),
	'names like the one that is unknown': async (text, run) => {
		const others = ['', ',', '2'].map((more, id) => ({ id, name: `${text}${more}` }));
		answers(pageOf(others));
		return await sheet('create', [{ url, pixelIds: `pixel ${text}`.replace(/[,[\]]/g, '') }], run);
	},
	'a name that several have': async (text, run) => {
		answers(pageOf([text, `${text} `].map((id) => ({ id, name: 'Shop' }))));
		return await sheet('create', [{ url, pixelIds: 'Shop' }], run);
	},
	'links in no row': async (text, run) => {
		const parameters = { unmatchedLinks: 'delete', options: { maxRemovals: 0 } };
		const page = pageOf([linkAs({ id: text, alias: text })]);
		return await sheetAfter(page, 'sync', [{ url, alias: 'two' }], { ...run, parameters });
	},
	'a scope that differs': async (text, run) =>
		await link('sync', {
			...run,
			items: [{ text }, { text: 'two' }],
			parameters: {
				url,
				alias: '={{ $json.text }}',
				syncScope: { aliasStartsWith: '={{ $json.text }}' },
				unmatchedLinks: 'keep',
			},
		}),
} satisfies Record<string, Path>;

const runs: Record<string, Run> = { 'stops at an error': {}, 'goes on': continues };

describe.each(Object.entries(paths))('%s', (_, path) => {
	it('is text wherever n8n shows it, and is cut if it is long', async () => {
		for (const [text, run] of [image, signIn].flatMap((one) =>
			Object.values(runs).map((each) => [one, each] as const),
		)) {
			const result = await path(text, run);
			const { message, description, hints } = shownOf(result);
			for (const shown of [message, description, ...hints]) expect(shown).not.toContain('<');
			// It was there.
			expect(`${message} ${description} ${hints.join()} ${JSON.stringify(jsonOf(result))}`).toMatch(
				/[<‹]|&lt;/,
			);
		}
		const { message, description, hints } = shownOf(await path('<b>'.repeat(5000), {}));
		for (const shown of [message, description, ...hints]) expect(shown.length).toBeLessThan(2500);
	});

	it('is never markup, and forges no line, whatever it is', async () => {
		const parts = '< > &lt; & " \' ` / = { } <b> --> a ß 😀 ,2'.split(' ');
		const part = fc.constantFrom(
			...[...parts, ' ', '<img src=x>', '\nforged', '\r', '\u2028', '\u202E', '\u2066', '\u0085'],
			...['\u001B[2J', '\0'],
		);
		const texts = fc
			.array(part, { minLength: 1, maxLength: 12 })
			.map((parts) => `${parts.join('')}x`);
		await fc.assert(
			fc.asyncProperty(texts, fc.constantFrom(...Object.values(runs)), async (text, run) => {
				const result = await path(text, run);
				const { message, description, hints } = shownOf(result);
				for (const shown of [message, description, ...hints]) expect(shown).not.toContain('<');
				const lines = description.split('\n');
				for (const line of lines) expect(line).not.toMatch(/^forged/);
				const items = jsonOf(result).flatMap(({ error, errorDetails }) => [
					error ?? '',
					(errorDetails as IDataObject | undefined)?.description ?? '',
				]);
				const firstOfStack = result.error?.stack?.split('\n    at ')[0] ?? '';
				for (const shown of [message, ...lines, ...hints, ...items, firstOfStack])
					expect(shown).not.toMatch(unprintable);
			}),
			{ numRuns: 12 },
		);
	});
});

describe('a long name', () => {
	const long = `shop ${'<b> and more '.repeat(2000)}`;

	it.each([
		[
			'a column that came without a destination',
			/Columns that came: "shop ‹b›.*…"\. Rename one to url, or set the field in the form\.$/,
		],
		['a setting', /"shop ‹b›.*…" is not one of the allowed values; use raw/],
		['a scope that differs', /‹b›.*… in item 1, .* in item 2; set the same value for all$/],
		[
			'names like the one that is unknown',
			/; use the ID, or one of: shop ‹b›.*…, or add the column pixelIds/,
		],
		['a name that several have', /\(IDs shop ‹b›.*…\); use an ID instead, or add the column/],
		['the name of a field and its error', /: shop ‹b›.*…: shop ‹b›/],
	] as const)('leaves room for the remedy: %s', async (path, message) => {
		expect(shownOf(await paths[path](long, {})).message).toMatch(message);
	});

	it('leaves room for the remedy: links in no row', async () => {
		const { description } = shownOf(await paths['links in no row'](long, {}));
		expect(description).toMatch(
			/In no row: shop &lt;b&gt;.*… \(ID shop &lt;b&gt;.*…\)\. If the rows/,
		);
	});
});

describe('what is escaped where n8n shows HTML', () => {
	it('is seen as it is: a hint', async () => {
		const result = await paths['a column in the hint'](image, {});
		expect(shownOf(result).hints).toEqual([
			'Mapped columns: url. Ignored columns: "&lt;img src=\\"http://127.0.0.1:9/x\\"&gt;".',
		]);
	});

	it('is seen as it is: a description', async () => {
		const result = await paths['a sentence of the service'](`${signIn} & \`go\``, {});
		expect(shownOf(result).description).toMatch(
			/The service said: &lt;a href="https:\/\/evil\.example\/"&gt;Sign in to n8n again&lt;\/a&gt; &amp; &#96;go&#96;$/,
		);
	});

	it('has other brackets in a message, which n8n shows as text in one place and as HTML in another', async () => {
		const result = await paths['a column that came without a destination'](image, {});
		expect(shownOf(result).message).toBe(
			'No column fills Destination URL. Columns that came: "‹img src=\\"http://127.0.0.1:9/x\\"›". Rename one to url, or set the field in the form.',
		);
	});
});

describe('the JSON of items', () => {
	it('has what the service said', async () => {
		const [refused] = jsonOf(await paths['a sentence of the service'](signIn, continues));
		expect(refused?.errorDetails).toMatchObject({
			description: expect.stringMatching(`The service said: ${signIn}$`),
		});
		const [row] = jsonOf(await paths['the name of a field and its error'](signIn, continues));
		expect(row).toMatchObject({
			alias: signIn,
			error: expect.stringContaining(`${signIn}: ${signIn}`),
			errorDetails: { fieldErrors: { [signIn]: [signIn], alias: [signIn] } },
		});
	});

	it('has the name of a column', async () => {
		const [row] = jsonOf(await paths['a column that came without a destination'](image, continues));
		expect(row?.error).toContain(`Columns that came: ${JSON.stringify(image)}.`);
	});

	it('is not escaped on the error output either', async () => {
		answers(refusing(signIn));
		const { outputs } = await link('getAll', { onError: 'continueErrorOutput' });
		expect(JSON.stringify(outputs[1]?.[0]?.json)).toContain('<a href');
	});
});

it('the error of a tool is text for the model', async () => {
	answers(refusing(signIn));
	const settings = { type: 'n8n-nodes-link-management.linkTool' };
	const { error } = await link('getAll', { settings });
	expect(error?.message).toContain(`The service said: ${signIn}`);
});

it('the address that a service redirects to is text, and cut', async () => {
	answers({ status: 302, headers: { location: `/${signIn}${'x'.repeat(5000)}` } });
	const { description } = shownOf(await link('getAll'));
	expect(description).toMatch(
		/^The redirect goes to \/&lt;a href="https:\/\/evil\.example\/"&gt;.*…\. Open/,
	);
});

describe('a poll', () => {
	it('that fails is explained with text', async () => {
		answers({ status: 403, body: { message: `${signIn}\nINFO all is well\u202E` } });
		const { error } = await trigger(
			{ events: ['created'] },
			{ credential: { baseUrl: current().url } },
		).activate();
		expect(error?.description).toMatch(
			/The service said: &lt;a href=.*&lt;\/a&gt; INFO all is well $/,
		);
	});

	it('refuses a setting with text', async () => {
		const { error } = await trigger({ events: [image, '\u202E\n'] }).activate();
		expect(error?.message).toMatch(/^Events "‹img/);
		expect(error?.stack).not.toContain('\u202E');
	});
});

describe('the lists of the editor', () => {
	it('say why they fail in text, which n8n shows as text', async () => {
		answers(refusing(`${signIn}\u202E`));
		await expect(search('link', 'searchLinks')).rejects.toMatchObject({
			description: expect.stringMatching(`The service said: ${signIn} ?$`),
		});
	});

	it('say so without markup in the sentence of a list of choices, which n8n shows as HTML', async () => {
		answers(refusing(signIn));
		await expect(load('link', 'getPixels')).rejects.toMatchObject({
			message: expect.stringMatching(/The service said: ‹a href=.*Sign in to n8n again‹\/a›$/),
		});
	});
});

it("the HTML of n8n's own errors becomes text", async () => {
	const description = 'The credential expired. <a href="https://docs.n8n.io/">More info</a>';
	const error = new ExpressionError('No credential', { description });
	const failing = jest.spyOn(CredentialsHelper.prototype, 'getDecrypted').mockRejectedValue(error);
	const stopped = shownOf(await sheet('create', [{ url, pixelIds: 'Shop' }]));
	const [item] = jsonOf(await sheet('create', [{ url, pixelIds: 'Shop' }], continues));
	failing.mockRestore();
	expect(stopped.description).toBe('The credential expired. More info');
	expect(item?.errorDetails).toMatchObject({ description: stopped.description });
});

it('a pixel has its text in the JSON as well', async () => {
	answers({ status: 422, body: { message: { name: [image] } } });
	const parameters = { name: image, type: 'bing', value: 'v' };
	const stopped = shownOf(await pixel('create', { items: [{}, {}], parameters }));
	expect(stopped.message).toMatch(/^Item 1 \(‹img .*\): .*Name: ‹img /);
	const [item] = jsonOf(await pixel('create', { parameters, ...continues }));
	expect(item?.error).toContain(`Name: ${image} Sent:`);
});
