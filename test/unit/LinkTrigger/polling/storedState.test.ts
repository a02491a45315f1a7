import type { IDataObject } from 'n8n-workflow';
import {
	noteFailure,
	readState,
	stateFor,
	writeState,
	type PollState,
} from '../../../../nodes/LinkTrigger/polling/storedState';

const state: PollState = {
	startId: 'begun',
	salt: 'salt',
	scope: 'scope',
	key: 'key',
	knownLinks: [{ id: 7, print: 'print' }],
	round: 3,
	detectors: new Map([['created', { floor: 5 }]]),
	resumeAt: 'created',
};

const stored = {
	...{ version: 2, startId: 'begun', salt: 'salt', scope: 'scope', key: 'key', round: 3 },
	knownLinks: [{ id: 7, print: 'print' }],
	detectors: { created: { floor: 5 } },
	resumeAt: 'created',
};

it('writes the state as JSON, and reads it again', () => {
	const staticData: IDataObject = { other: 1 };
	writeState(staticData, state);
	expect(staticData).toEqual({ other: 1, poll: stored });
	expect(readState(JSON.parse(JSON.stringify(staticData)))).toEqual(state);
});

it('writes no name of a detector where the poll came to its end', () => {
	const staticData: IDataObject = {};
	writeState(staticData, { ...state, resumeAt: undefined });
	expect(Object.keys(staticData.poll as IDataObject)).not.toContain('resumeAt');
	expect(readState(staticData).resumeAt).toBeUndefined();
});

it.each<[what: string, poll: unknown]>([
	['nothing', undefined],
	['a list', []],
	['another version', { ...stored, version: 1 }],
	['no beginning', { ...stored, startId: 5 }],
	['no salt', { ...stored, salt: undefined }],
	['no scope', { ...stored, scope: undefined }],
	['no key', { ...stored, key: 5 }],
	['no known links', { ...stored, knownLinks: undefined }],
	['a known link that is no object', { ...stored, knownLinks: [5] }],
	['no rounds', { ...stored, round: -1 }],
	['no detectors', { ...stored, detectors: undefined }],
	['a detector that is no object', { ...stored, detectors: { created: 5 } }],
])('begins again where %s is stored', (_what, poll) => {
	const read = readState({ poll } as IDataObject);
	expect(read).toMatchObject({ round: 0, knownLinks: [], detectors: new Map() });
	expect(read.startId).not.toBe('begun');
	expect(read.startId).toMatch(/^[0-9a-z]{9,14}$/);
	expect(read.salt).toMatch(/./);
	expect(read.resumeAt).toBeUndefined();
});

it('reads a state whose place to continue is broken', () => {
	expect(readState({ poll: { ...stored, resumeAt: 5 } })).toEqual({
		...state,
		resumeAt: undefined,
	});
});

describe('the state for an account and filters', () => {
	const account = { root: 'root', apiKey: 'key', filters: ['domainId 1'] };
	const forAccount = async (more: Partial<typeof account>, isKnown = false) => {
		const asked: unknown[] = [];
		const before = await stateFor(state, account, async () => await Promise.resolve(true));
		const known = { ...before, ...state, scope: before.scope, key: before.key };
		const found = await stateFor(known, { ...account, ...more }, async (links) => {
			asked.push(...links);
			return await Promise.resolve(isKnown);
		});
		return { known, found, asked };
	};

	it('continues, and asks for nothing', async () => {
		const { known, found, asked } = await forAccount({});
		expect(found).toEqual(known);
		expect(asked).toEqual([]);
	});

	it.each([
		['address', { root: 'other' }],
		['filter', { filters: ['domainId 2'] }],
		['number of filters', { filters: [] }],
	])('begins again for another %s, and asks for nothing', async (_what, more) => {
		const { known, found, asked } = await forAccount(more, true);
		expect(found.scope).not.toBe(known.scope);
		expect(found).toMatchObject({
			startId: 'begun',
			round: 3,
			knownLinks: [],
			detectors: new Map(),
		});
		expect(found.resumeAt).toBeUndefined();
		expect(asked).toEqual([]);
	});

	it('continues with another key that reads a known link', async () => {
		const { known, found, asked } = await forAccount({ apiKey: 'other' }, true);
		expect(found).toEqual({ ...known, key: found.key });
		expect(found.key).not.toBe(known.key);
		expect(asked).toEqual(state.knownLinks);
	});

	it('begins again with another key that reads no known link', async () => {
		const { known, found } = await forAccount({ apiKey: 'other' }, false);
		expect(found).toMatchObject({ scope: known.scope, knownLinks: [], detectors: new Map() });
		expect(found.key).not.toBe(known.key);
	});

	it('has another digest for another salt', async () => {
		const scopes = await Promise.all(
			['salt', 'other'].map(async (salt) => {
				const { scope, key } = await stateFor(
					{ ...state, salt },
					account,
					async () => await Promise.resolve(false),
				);
				return [scope, key];
			}),
		);
		expect(new Set(scopes.flat()).size).toBe(4);
	});
});

it('notes a failure once, until a poll succeeds', () => {
	const staticData: IDataObject = {};
	expect(noteFailure(staticData, false)).toBe(false);
	expect(staticData).toEqual({});
	expect(noteFailure(staticData, true)).toBe(true);
	expect(staticData).toEqual({ failing: true });
	expect(noteFailure(staticData, true)).toBe(false);
	expect(noteFailure(staticData, false)).toBe(false);
	expect(staticData).toEqual({});
	expect(noteFailure(staticData, true)).toBe(true);
});
