import type { IDataObject } from 'n8n-workflow';
import {
	currentValue,
	encodeCurrentValue,
	entryTexts,
	hasValue,
	isSame,
	isSameApartFromCase,
} from '../contract/compare';
import { type EncodedRow, fieldsNamed, fieldsToCreate, searchTextOf } from '../contract/encodedRow';
import { Invalid } from '../contract/types';
import type { EncodedField, Field } from '../contract/resourceTypes';
import { isDefaultMatch } from '../contract/layout';
import { comparesFirst, type Outcome } from '../contract/operations';
import { idOf } from '../contract/readers';
import { oneLine } from '../contract/text';
import { choicesOf, isSecret, isUnset } from '../contract/values';
import { counted } from '../contract/wording';
import { earlyRejection, joinSentences } from '../transport/failures';
import type { RowRequests } from '../transport/rowRequests';
import { byKey, ListIndex, queryOf } from './find';
import { idIn, keyTextOf, nameOf, newId, keysFor, type Resources, takenText } from './resource';
import type { ResponseChecks } from './responses';
import type { Change, Result, Writer } from './types';

/** The text for a password in a dry run. */
const mask = '••••••';

/** The text for an empty field. */
const emptyLabel = '(empty)';

/** The text for an empty text, which n8n's table would show in red. */
const blank = '–';

/** Returns the text of a value as the form shows it: a switch as true or false, a choice by its name. */
function shownText(field: Field, text: string): string {
	if (text === '') return '';
	if (field.type === 'boolean') return text === '1' ? 'true' : 'false';
	return choicesOf(field).find(({ value }) => String(value) === text)?.name ?? oneLine(text);
}

/** Returns the values of a field as one text: `US=https://example.com/us, DE=https://example.com/de`. Passwords are masked. */
function shownValues({ field, values, cleared }: EncodedField): string {
	if (cleared) return emptyLabel;
	if (isSecret(field)) return mask;
	const texts = entryTexts(values).map((parts) =>
		parts.map((text) => shownText(field, text)).join('='),
	);
	return texts.some((text) => text !== '' && text !== '=') ? texts.join(', ') : emptyLabel;
}

/** Returns fields, each as `Name: value`. No line breaks separate them: n8n's table shows these as the characters \n. */
const textOf = (fields: readonly EncodedField[]): string =>
	fields.map((each) => `${each.field.displayName}: ${shownValues(each)}`).join('; ');

/** Returns the value of a resource's field. For a password, the service shows only whether there is one. */
function storedField(field: Field, resource: IDataObject, { options }: EncodedRow): EncodedField {
	const value = currentValue(field, resource, options.timeZone);
	const cleared = isUnset(value) || (value === false && field.type !== 'boolean');
	if (cleared || isSecret(field)) return { field, values: [], cleared };
	const encoded = encodeCurrentValue(field, value);
	return { field, values: encoded instanceof Invalid ? [['', JSON.stringify(value)]] : encoded };
}

/** The values of an output item of a dry run. */
interface Planned {
	/** The current resource, or its ID; undefined if there is none. */
	readonly existing?: IDataObject;
	/** The fields that would change; a dash if there are none. */
	readonly before?: string;
	readonly after?: string;
	readonly note: string;
}

/**
 * Returns an output item of a dry run. All items have the same keys. No value is undefined, an object or an empty text,
 * because n8n's table shows these in red.
 */
function plannedItem(row: EncodedRow, outcome: Outcome, planned: Planned): Result {
	const { existing = {}, before = blank, after = blank, note } = planned;
	const id = String(existing.id).startsWith(newId) ? null : idOf(existing.id);
	const text = keyTextOf(row, existing) || (searchTextOf(row) ?? row.reference?.search ?? blank);
	const item = { outcome, id, [row.contract.key.searchBy]: text, before, after, note };
	return { resources: [item], outcome, existing: planned.existing };
}

/** Returns what an update changes. The service returns no passwords, so the node cannot know whether they differ. */
function changesText(changes: readonly EncodedField[]): string {
	const secrets = changes.filter(({ field, cleared }) => isSecret(field) && !cleared).length;
	const others = changes.length - secrets;
	const changed = others > 0 ? `Changes ${counted(others, 'field')}` : '';
	const repeated = 'The password is sent each time, because the service does not return it';
	return joinSentences(changed, secrets > 0 ? repeated : '') || 'Sent, but changes nothing';
}

/** Returns the values of a field as a resource shows them (assumption: one resource). */
function storedValue({ field, values, cleared }: EncodedField): IDataObject {
	const { key, storedAs } = field.wire;
	if (isSecret(field)) return { [key]: !cleared };
	if (storedAs) return storedAs(cleared ? [] : values);
	return { [key]: cleared ? null : (values[0]?.[1] ?? null) };
}

/** The resources that the writes of a dry run would have left. */
class PlannedResources {
	/** The last state of each resource, by ID; undefined if it was deleted. */
	private readonly states = new Map<string, IDataObject | undefined>();

	/** IDs by what finds the resource, because a read cannot find it by this yet. */
	private readonly byQuery = new Map<string, Set<string>>();

	/** Stores a resource after a write, given the resource before it; without an ID if the write creates it. */
	store(row: EncodedRow, before: IDataObject, fields: readonly EncodedField[]): void {
		const id = idIn(before) ?? `${newId}${this.states.size}`;
		const resource: IDataObject = Object.assign({}, before, { id });
		for (const field of fields) Object.assign(resource, storedValue(field));
		this.states.set(id, resource);
		const { match, contract } = row;
		const { address, searchBy } = contract.key;
		// An address ends with the alias.
		if (address !== undefined) {
			const place = String(before[address]);
			resource[address] = place.slice(0, place.lastIndexOf('/') + 1) + keyTextOf(row, resource);
		}
		// A create looks up its alias or name, whatever Match By is.
		const searched = [match.fields?.searchBy ?? searchBy, searchBy];
		for (const key of keysFor(contract, searched, resource)) {
			this.byQuery.set(key, (this.byQuery.get(key) ?? new Set()).add(id));
		}
	}

	remove(id: string): void {
		this.states.set(id, undefined);
	}

	/** Returns the resources of a row, given those that a read found. */
	current(row: EncodedRow, resources: Resources): Resources {
		const read = new Map(resources.map((resource) => [idIn(resource) ?? '', resource]));
		const planned = this.byQuery.get(queryOf(row)?.key ?? '') ?? [];
		return [...new Set([...read.keys(), ...planned])]
			.map((id) => (this.states.has(id) ? this.states.get(id) : read.get(id)))
			.filter((resource) => resource !== undefined);
	}
}

const isRandom = (row: EncodedRow): boolean => row.fields.some((each) => each.isRandom);

/**
 * Returns whether a create needs a look-up of its alias or name. Create or Update and Sync by the default of Match By have looked
 * it up, but not outside of a scope such as a space.
 */
function mustLookUp(row: EncodedRow): boolean {
	const { contract, operation, scope } = row;
	const isInKey = scope.every(({ field }) => contract.key.uniqueBy.includes(field.wire.key));
	return !isRandom(row) && !(comparesFirst(operation) && isDefaultMatch(row) && isInKey);
}

/**
 * Returns what a dry run shows of a create.
 *
 * @param candidates the resources with the alias or name of the row
 * @throws ServiceError if the alias or name is taken, unless the operation only creates
 */
function planOfCreate(row: EncodedRow, candidates: Resources): Change & { note: string } {
	const { key, value } = row.contract;
	const outcome = 'created';
	if (isRandom(row)) return { outcome, note: `New; a run generates the ${key.searchBy}` };
	const isKeyComplete = fieldsNamed(row, key.uniqueBy).length === key.uniqueBy.length;
	const owner = candidates.find((resource) => isSame(byKey(row), resource));
	if (owner && isKeyComplete) {
		const note = takenText(row, owner);
		if (!comparesFirst(row.operation)) return { outcome: 'refused', note };
		throw earlyRejection(note, '', { fieldErrors: { [key.searchBy]: [note] } });
	}
	const similar = owner ?? candidates.find((each) => isSameApartFromCase(byKey(row), each));
	if (!similar) return { outcome, note: 'New' };
	const refusal = `the service refuses the ${key.searchBy} because of the ${value} ${nameOf(row, similar)}`;
	return { outcome, note: `New, unless ${refusal}` };
}

/** Returns the writer of a dry run. It sends no writes. Later rows see what earlier rows would store. */
export function planningWriter(checks: ResponseChecks): Writer {
	const resources = new PlannedResources();
	let owners = new ListIndex([]);
	const planCreate = async (requests: RowRequests, ownRow: EncodedRow, similar: Resources) => {
		const keyed = byKey(ownRow);
		const read = mustLookUp(ownRow) ? await owners.find(requests, keyed) : similar;
		const { outcome, note } = planOfCreate(ownRow, resources.current(keyed, read));
		// Each run generates another alias.
		const row = { ...ownRow, fields: ownRow.fields.filter((each) => !each.isRandom) };
		const fields = fieldsToCreate(row);
		if (outcome === 'created') {
			checks.noteSent(fields);
			resources.store(row, {}, fields);
		}
		return plannedItem(row, outcome, { after: textOf(fields), note });
	};
	return {
		checks,
		isPlanning: true,
		prepareCreates: async (requests, rows) => {
			owners = new ListIndex(rows.filter(mustLookUp).map(byKey));
			await owners.read(requests, false);
		},
		write: async (requests, row, { outcome, id, before: existing = { id }, ...change }) => {
			const { fields, note, similar = [] } = change;
			if (outcome === 'created') return await planCreate(requests, row, similar);
			const valuesOf = (shown: readonly Field[]) =>
				textOf(shown.map((field) => storedField(field, existing, row)));
			if (outcome === 'deleted') {
				resources.remove(id ?? '');
				const { fields: all, key } = row.contract;
				// What each create needs identifies a resource to the user, in addition to its alias or name.
				const shown = all.filter(({ required, wire }) => required && wire.key !== key.searchBy);
				const before = valuesOf(shown);
				return plannedItem(row, outcome, { existing, before, note: note ?? 'Deletes permanently' });
			}
			if (!fields) {
				const nothing = outcome === 'missing' ? 'Already deleted' : 'Nothing to change';
				return plannedItem(row, outcome, { existing, note: nothing });
			}
			checks.noteSent(fields);
			resources.store(row, existing, fields);
			const changes = fields.filter((field) => !hasValue(field, existing, row));
			const before = valuesOf(changes.map(({ field }) => field));
			const shown = changes.length > 0 ? { before, after: textOf(changes) } : {};
			return plannedItem(row, outcome, { existing, ...shown, note: note ?? changesText(changes) });
		},
		current: (row, matches) => resources.current(row, matches),
	};
}
