import type { IDataObject } from 'n8n-workflow';
import { fingerprint } from '../../../../nodes/shared/poll/packing';
import {
	identify,
	noteFailure,
	readState,
	writeState,
	type PollState,
} from '../../../../nodes/shared/poll/state';

const state: PollState = {
	begun: 'begun',
	salt: 'salt',
	round: 3,
	watches: new Map([['created', { of: 'account', stored: { floor: 5 } }]]),
	resumeAt: 'created',
};

const stored = {
	version: 1,
	begun: 'begun',
	salt: 'salt',
	round: 3,
	watches: { created: { of: 'account', floor: 5 } },
	resumeAt: 'created',
};

it('writes the state as JSON, and reads it again', () => {
	const staticData: IDataObject = { other: 1 };
	writeState(staticData, state);
	expect(staticData).toEqual({ other: 1, poll: stored });
	expect(readState(JSON.parse(JSON.stringify(staticData)))).toEqual(state);
});

it('writes no name of a watch where the poll came to its end', () => {
	const staticData: IDataObject = {};
	writeState(staticData, { ...state, resumeAt: undefined });
	expect(Object.keys(staticData.poll as IDataObject)).not.toContain('resumeAt');
	expect(readState(staticData).resumeAt).toBeUndefined();
});

it.each<[what: string, poll: unknown]>([
	['nothing', undefined],
	['a list', []],
	['another version', { ...stored, version: 2 }],
	['no beginning', { ...stored, begun: 5 }],
	['no rounds', { ...stored, round: -1 }],
	['no watches', { ...stored, watches: undefined }],
	['a watch that is no object', { ...stored, watches: { created: 5 } }],
])('begins again where %s is stored', (_what, poll) => {
	const read = readState({ poll } as IDataObject);
	expect(read).toMatchObject({ round: 0, watches: new Map() });
	expect(read.begun).not.toBe('begun');
	expect(read.begun).toMatch(/^[0-9a-z]{9,14}$/);
	expect(read.salt).toMatch(/./);
	expect(read.resumeAt).toBeUndefined();
});

it('reads a state whose further texts are broken', () => {
	expect(readState({ poll: { ...stored, salt: 5, resumeAt: 5 } })).toEqual({
		...state,
		salt: undefined,
		resumeAt: undefined,
	});
});

describe('the digest of what is watched', () => {
	const watched = { root: 'root', apiKey: 'key', pastedKey: ' key ', filters: ['domainId 1'] };

	it('leaves a state with a salt as it is', async () => {
		const first = await identify(state, watched);
		expect(first.state).toBe(state);
		expect(first).toEqual(await identify(state, { ...watched, pastedKey: 'other' }));
		expect(first.of).toMatch(/./);
	});

	it.each([
		['address', { root: 'other' }],
		['key', { apiKey: 'other' }],
		['filter', { filters: ['domainId 2'] }],
		['number of filters', { filters: [] }],
	])('is another one for another %s', async (_what, change) => {
		const { of } = await identify(state, watched);
		expect((await identify(state, { ...watched, ...change })).of).not.toBe(of);
	});

	it('is another one for another salt', async () => {
		const { of } = await identify(state, watched);
		expect((await identify({ ...state, salt: 'other' }, watched)).of).not.toBe(of);
	});

	it('replaces the fingerprint of an earlier version, and no other', async () => {
		const old = fingerprint('root\n key \ndomainId 1', 10);
		const watches = new Map([
			['created', { of: old, stored: { floor: 5 } }],
			['deleted', { of: 'another account', stored: {} }],
		]);
		const found = await identify({ ...state, salt: undefined, watches }, watched);
		expect(found.of).not.toBe(old);
		expect(found.state.salt).toMatch(/./);
		expect([...found.state.watches]).toEqual([
			['created', { of: found.of, stored: { floor: 5 } }],
			['deleted', { of: 'another account', stored: {} }],
		]);
		expect((await identify(found.state, watched)).of).toBe(found.of);
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
