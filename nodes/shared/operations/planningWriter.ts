import type { IDataObject } from 'n8n-workflow';
import { currentValue, encodeCurrentValue, entryTexts, searchForm } from '../contract/compare';
import { oneLine } from '../contract/text';
import { Invalid, type WireValue } from '../contract/types';
import { fieldsToCreate, searchTextOf, sentTextOf, type EncodedRow } from '../contract/encodedRow';
import type { EncodedField, Field } from '../contract/fieldTypes';
import { idOf } from '../contract/readers';
import { choicesOf, isSecret, isTextual, isUnset } from '../contract/values';
import { idIn } from './resource';
import type { ResponseChecks } from './responses';
import type { Outcome, Result } from './types';
import type { Writer } from './writer';

/** The text for a password in a dry run. */
const mask = '••••••';

/** The text for an empty field. */
const emptyLabel = '(empty)';

/** The text for an empty text, which n8n's table would show in red. */
const blank = '–';

/** The separator of fields. n8n's table shows a line break as the characters \n, without a new line. */
const separator = '; ';

/** Returns the text of a value as the form shows it: a switch as true or false, a choice by its name. */
function shownText(field: Field, text: string): string {
	if (field.type === 'boolean') return text === '1' ? 'true' : 'false';
	const choice = choicesOf(field).find(({ value }) => String(value) === text);
	return choice?.name ?? oneLine(text);
}

/** Returns values as one text: `US=https://example.com/us, DE=https://example.com/de`. */
function shownValues(field: Field, values: readonly WireValue[]): string {
	const texts = entryTexts(values).map((parts) =>
		parts.map((text) => (text === '' ? '' : shownText(field, text))).join('='),
	);
	return texts.some((text) => text !== '' && text !== '=') ? texts.join(', ') : emptyLabel;
}

/** Returns the value of a resource's field. For a password, it shows only whether there is one. */
function valueBefore(field: Field, resource: IDataObject, { options }: EncodedRow): string {
	const value = currentValue(field, resource, options.timeZone);
	if (isUnset(value) || (value === false && field.type !== 'boolean')) return emptyLabel;
	if (isSecret(field)) return mask;
	const encoded = encodeCurrentValue(field, value);
	return encoded instanceof Invalid ? oneLine(JSON.stringify(value)) : shownValues(field, encoded);
}

const valueAfter = ({ field, values, cleared }: EncodedField): string => {
	if (cleared) return emptyLabel;
	return isSecret(field) ? mask : shownValues(field, values);
};

const labeled = ({ displayName }: Field, value: string) => `${displayName}: ${value}`;

/** Returns the fields of a resource, each as `Name: value`. Passwords are masked. */
const textBefore = (fields: readonly Field[], resource: IDataObject, row: EncodedRow): string =>
	fields.map((field) => labeled(field, valueBefore(field, resource, row))).join(separator);

/** Returns the fields of a write, each as `Name: value`. Passwords are masked. */
const textAfter = (fields: readonly EncodedField[]): string =>
	fields.map((encoded) => labeled(encoded.field, valueAfter(encoded))).join(separator);

/** An output item of a dry run, without the name of the resource. */
interface Planned {
	readonly outcome: Outcome;
	/** The current resource; undefined if there is none. */
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
export function plannedItem(row: EncodedRow, plan: Planned): Result {
	const { outcome, existing, before = blank, after = blank, note } = plan;
	const { searchBy } = row.contract.key;
	const text = existing?.[searchBy];
	const item = {
		outcome,
		id: idOf(existing?.id) ?? null,
		[searchBy]: isTextual(text) && text !== '' ? String(text) : (searchTextOf(row) ?? blank),
		before,
		after,
		note,
	};
	return { resources: [item], outcome };
}

/** Returns the plan of a row whose alias or name is taken, so that the service refuses the create. */
export const plannedRefusal = (row: EncodedRow, note: string): Result =>
	plannedItem(row, { outcome: 'refused', after: textAfter(fieldsToCreate(row)), note });

/** Returns what an update changes. The service returns no passwords, so the node cannot know whether they differ. */
function changesText(changes: readonly EncodedField[]): string {
	const secrets = changes.filter(({ field, cleared }) => isSecret(field) && !cleared).length;
	const others = changes.length - secrets;
	const sent = 'The password is sent each time, because the service does not return it';
	const changed = `Changes ${others} ${others === 1 ? 'field' : 'fields'}`;
	if (others === 0) return sent;
	return secrets === 0 ? changed : `${changed}. ${sent}`;
}

/** Returns the values of a field as a resource shows them (assumption: one resource). */
function storedValue({ field, values, cleared }: EncodedField): IDataObject {
	const { key, storedAs } = field.wire;
	if (isSecret(field)) return { [key]: !cleared };
	if (storedAs) return storedAs(cleared ? [] : values);
	return { [key]: cleared ? null : (values[0]?.[1] ?? null) };
}

/** Returns a resource after a write. */
const afterWrite = (existing: IDataObject, fields: readonly EncodedField[]): IDataObject =>
	fields.reduce<IDataObject>((all, field) => ({ ...all, ...storedValue(field) }), existing);

/** Returns the field that finds the resources of a row. */
const searchKeyOf = ({ match, contract }: EncodedRow): string =>
	match.fields?.searchBy ?? contract.key.searchBy;

/** Identifies a resource: by its ID, or by an object of its own if a dry run created it. */
type Identity = object | string;

/** The resources that the writes of a dry run would have left. */
class PlannedResources {
	/** The last state of each resource; undefined if it was deleted. */
	private readonly states = new Map<Identity, IDataObject | undefined>();

	private readonly identities = new WeakMap<IDataObject, Identity>();

	/** Resources by a text that finds them, because a read cannot find them by it yet. */
	private readonly byText = new Map<string, Set<Identity>>();

	private identityOf(resource: IDataObject): Identity {
		return idIn(resource) ?? this.identities.get(resource) ?? resource;
	}

	private keyOf(row: EncodedRow, text: unknown): string {
		return searchForm(row.contract, searchKeyOf(row))(isTextual(text) ? String(text) : '');
	}

	/** Stores a resource after a write, given the resource before it. */
	store(row: EncodedRow, resource: IDataObject, before: IDataObject = resource): void {
		const identity = this.identityOf(before);
		this.identities.set(resource, identity);
		this.states.set(identity, resource);
		const key = this.keyOf(row, resource[searchKeyOf(row)]);
		this.byText.set(key, (this.byText.get(key) ?? new Set()).add(identity));
	}

	remove(resource: IDataObject): void {
		this.states.set(this.identityOf(resource), undefined);
	}

	/** Returns the resources of a row, given those that a read found. */
	current(row: EncodedRow, resources: readonly IDataObject[]): readonly IDataObject[] {
		const text = row.reference?.search ?? sentTextOf(row, searchKeyOf(row));
		const read = new Map(resources.map((resource) => [this.identityOf(resource), resource]));
		const planned = this.byText.get(this.keyOf(row, text)) ?? [];
		return [...new Set([...read.keys(), ...planned])].flatMap((identity): IDataObject[] => {
			const resource = this.states.has(identity) ? this.states.get(identity) : read.get(identity);
			return resource ? [resource] : [];
		});
	}
}

/** Returns the writer of a dry run. It sends nothing. Later rows see what earlier rows would store. */
export function planningWriter(checks: ResponseChecks): Writer {
	const planned = new PlannedResources();
	return {
		checks,
		createOne: async (_requests, row, note = 'New') => {
			const fields = fieldsToCreate(row);
			checks.noteSent(row, fields);
			planned.store(row, afterWrite({}, fields));
			return await Promise.resolve(
				plannedItem(row, { outcome: 'created', after: textAfter(fields), note }),
			);
		},
		updateOne: async (_requests, row, { fields, before = {}, outcome, note }) => {
			checks.noteSent(row, fields);
			planned.store(row, afterWrite(before, fields), before);
			const shown = fields.map(({ field }) => field);
			return await Promise.resolve(
				plannedItem(row, {
					outcome,
					existing: before,
					before: textBefore(shown, before, row),
					after: textAfter(fields),
					note: note ?? changesText(fields),
				}),
			);
		},
		keepOne: (row, existing) =>
			plannedItem(row, { outcome: 'unchanged', existing, note: 'Nothing to change' }),
		removeOne: async (_requests, row, { id, existing = { id }, note = 'Deletes permanently' }) => {
			const { fields, key } = row.contract;
			planned.remove(existing);
			// The fields that each create needs identify a resource to the user, in addition to its alias or name.
			const needed = fields.filter(({ required, wire }) => required && wire.key !== key.searchBy);
			const before = textBefore(needed, existing, row);
			return await Promise.resolve(
				plannedItem(row, { outcome: 'deleted', existing, before, note }),
			);
		},
		current: (row, matches) => planned.current(row, matches),
	};
}
