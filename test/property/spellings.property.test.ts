import type { INodeParameters } from 'n8n-workflow';
import fc from 'fast-check';
import { storedLinks } from '../../testkit/service/storedLinks.ts';
import { jsonOf } from '../support/service.ts';
import { useColumns, type Cells } from '../support/columns.ts';
import {
	anySheet,
	changeable,
	changed,
	changedParameters,
	expectedOf,
	pixelNames,
	sources,
	storedOf,
	timeZones,
	writeSheet,
	type CanonicalRow,
	type Changeable,
} from '../support/spelledSheet.ts';
import { casesOf, type Made } from '../support/randomTests.ts';
import type { StoredLink } from '../support/simulatedService.ts';

/** Number of random sheets, of three runs each. */
const cases = casesOf(12);

jest.setTimeout(60 * 60_000);

const { current, mapped } = useColumns();

const operations = ['upsert', 'keep', 'disable', 'update'] as const;
const keys = ['alias', 'alias', 'id', 'url'] as const;

/** How a sheet is written. */
const spelling = fc.record({ seed: fc.nat(), source: fc.constantFrom(...sources) });

const anyCase = fc.record({
	timeZone: fc.constantFrom(...timeZones),
	/** Whether the time zone is that of the workflow; otherwise the credential has it. */
	isWorkflowZone: fc.boolean(),
	rows: anySheet,
	operation: fc.constantFrom(...operations),
	matchBy: fc.constantFrom(...keys),
	spellings: fc.record({ first: spelling, second: spelling }),
	change: fc.record({ row: fc.nat(7), field: fc.nat(100) }),
});

type Case = Made<typeof anyCase>;

/** Makes an account with named pixels, and with a link in each domain and space, from which their names are known. */
function makeAccount(): number[] {
	current().clear();
	const { links, pixels } = current();
	for (const id of ['1', '2']) {
		const ids = { domain_id: id, space_id: id };
		links.create({ alias: `other-${id}`, url: 'https://other.example', ...ids });
	}
	return pixelNames.map((name) => Number(pixels.create({ name, type: 'bing', value: 'x' }).id));
}

/** Returns the links of the sheet, in the order of its rows. */
function linksOf(rows: readonly CanonicalRow[]): StoredLink[] {
	const all = storedLinks(current()) as unknown as StoredLink[];
	const links = all.filter(({ alias }) => !alias.startsWith('other-'));
	expect(links).toHaveLength(rows.length);
	return rows.map(({ alias, domain }) => {
		const link = links.find((one) => one.alias === alias && one.domain.id === domain);
		expect(link).toBeDefined();
		return link as StoredLink;
	});
}

const writes = () => current().requests.filter(({ method }) => method !== 'GET');

/** The parameters of a form, without indexes. */
const sentBy = (body: string) =>
	[
		...new Set([...new URLSearchParams(body).keys()].map((name) => name.replace(/\[.*$/, ''))),
	].sort();

/** Runs an operation on a sheet, and returns its items. */
async function run(
	one: Case,
	sheet: readonly Cells[],
	{ operation, matchBy }: { operation: Case['operation'] | 'create'; matchBy: Case['matchBy'] },
) {
	const isSync = operation === 'keep' || operation === 'disable';
	const scope = { syncScope: { aliasStartsWith: '2' }, unmatchedLinks: operation };
	const parameters: INodeParameters = {
		...(operation === 'create' ? {} : { matchBy }),
		...(isSync ? { ...scope, additionalFields: { domainId: 1 } } : {}),
		...(operation === 'update' ? { linkId: { __rl: true, mode: 'list', value: '' } } : {}),
	};
	current().requests.length = 0;
	const result = await mapped(isSync ? 'sync' : operation, sheet, parameters, {
		timezone: one.isWorkflowZone ? one.timeZone : 'America/Los_Angeles',
		credential: one.isWorkflowZone ? {} : { accountTimeZone: one.timeZone },
	});
	expect(result.error).toBeUndefined();
	return jsonOf(result);
}

/** Returns which cell changes: none of those that find the link. */
function changeOf({ change, matchBy, rows }: Case): { at: number; field: Changeable } {
	const keyFields: readonly string[] = matchBy === 'url' ? ['url', 'utm'] : [matchBy];
	const fields = changeable.filter((field) => !keyFields.includes(field));
	const field = fields[change.field % fields.length] ?? 'disabled';
	return { at: change.row % rows.length, field };
}

async function tryOut(one: Case): Promise<void> {
	const { rows, timeZone, operation, matchBy, spellings } = one;
	const pixelIds = makeAccount();
	const common = { timeZone, pixelIds };
	const expected = (sheet: readonly CanonicalRow[]) => sheet.map((row) => expectedOf(row, common));
	const stored = (sheet: readonly CanonicalRow[]) => linksOf(sheet).map(storedOf);

	// The first run creates the links.
	const isUpdate = operation === 'update';
	const key = matchBy === 'id' ? matchBy : undefined;
	const sheet = writeSheet({ ...common, ...spellings.first, hasDomains: false }, rows);
	const created = await run(one, sheet, {
		operation: isUpdate ? 'create' : operation,
		matchBy: key ? 'alias' : matchBy,
	});
	const outcomes = (items: typeof created) => (isUpdate ? [] : items.map(({ outcome }) => outcome));
	const all = (outcome: string) => (isUpdate ? [] : rows.map(() => outcome));
	expect(outcomes(created)).toEqual(all('created'));
	expect(stored(rows)).toEqual(expected(rows));

	const again = {
		...common,
		...spellings.second,
		hasDomains: isUpdate,
		...(key ? { ids: created.map((item) => String(item[key])) } : {}),
	};
	const unchanged = await run(one, writeSheet(again, rows), one);
	expect(writes()).toEqual([]);
	expect(unchanged.map(({ id }) => id)).toEqual(created.map(({ id }) => id));
	expect(outcomes(unchanged)).toEqual(all('unchanged'));

	const { at, field } = changeOf(one);
	const next = rows.map((row, index) => (index === at ? changed(row, field) : row));
	const [before, after] = [expected(rows)[at] ?? {}, expected(next)[at] ?? {}];
	await run(one, writeSheet(again, next), one);
	expect(writes().map(({ method, path, body }) => [method, path, sentBy(body)])).toEqual([
		['PUT', `/api/v1/links/${String(created[at]?.id)}`, changedParameters(before, after)],
	]);
	expect(stored(next)).toEqual(expected(next));
}

it('a sheet in another spelling changes nothing, and a changed cell causes one write', async () => {
	await fc.assert(fc.asyncProperty(anyCase, tryOut), { numRuns: cases });
});
