import type { IDataObject } from 'n8n-workflow';
import { fieldsToCreate, searchTextOf, type EncodedRow } from '../contract/encodedRow';
import type { EncodedField } from '../contract/fieldTypes';
import { idOf } from '../contract/readers';
import { isTextual } from '../contract/values';
import { checkComplete, checkAllowed, type ReconcileStep } from './reconcile';
import type { Outcome, PlannedWrite, Result } from './types';
import { blank, textAfter, textBefore } from './dryRunText';
import { idIn } from './resource';

/** One item of a dry run, apart from the name of the resource. */
interface Planned {
	readonly outcome: Outcome;
	/** The resource as it is; undefined if there is none. */
	readonly existing?: IDataObject;
	/** The alias or name of the resource, if it does not exist or does not tell. */
	readonly text?: string;
	/** The fields that would change; a dash if there are none. */
	readonly before?: string;
	readonly after?: string;
	readonly note: string;
	readonly write?: PlannedWrite;
}

/**
 * Returns one item of a dry run. All items have the same keys, and no value is undefined, an object or an empty text,
 * which n8n's table shows as red words. A sheet or message takes the texts as they are.
 */
export function plannedItem({ contract }: Pick<EncodedRow, 'contract'>, plan: Planned): Result {
	const { outcome, existing, before = blank, after = blank, note, write } = plan;
	const { searchBy } = contract.key;
	const text = existing?.[searchBy];
	const item = {
		outcome,
		id: idOf(existing?.id) ?? null,
		[searchBy]: isTextual(text) && text !== '' ? String(text) : (plan.text ?? blank),
		before,
		after,
		note,
	};
	return { resources: [item], outcome, write };
}

/** What writing fields to a resource would do. */
export const plannedUpdate = (
	row: EncodedRow,
	existing: IDataObject,
	fields: readonly EncodedField[],
	more: Pick<Planned, 'note' | 'outcome' | 'text'>,
): Result =>
	plannedItem(row, {
		...more,
		existing,
		before: textBefore(
			fields.map(({ field }) => field),
			existing,
			row,
		),
		after: textAfter(fields),
		write: { contract: row.contract, endpoint: 'update', id: idIn(existing), fields },
	});

const count = (fields: readonly EncodedField[]): string =>
	`${fields.length} ${fields.length === 1 ? 'field' : 'fields'}`;

/**
 * What a step would do to the resource of a row.
 *
 * @param note what to tell the user in place of a few words about the outcome
 * @throws ServiceError where the step would fail
 */
export function plannedReconcile(row: EncodedRow, step: ReconcileStep, note?: string): Result {
	const { existing, changes } = step;
	const { contract } = row;
	const text = searchTextOf(row);
	checkAllowed(row, step);
	if (!existing) {
		checkComplete(row);
		const fields = fieldsToCreate(row);
		const write = { contract, endpoint: 'create', fields } as const;
		const after = textAfter(fields);
		return plannedItem(row, { outcome: 'created', text, after, note: note ?? 'New', write });
	}
	if (changes.length === 0) {
		return plannedItem(row, { outcome: 'unchanged', existing, text, note: 'Nothing to change' });
	}
	return plannedUpdate(row, existing, changes, {
		outcome: 'updated',
		text,
		note: note ?? `Changes ${count(changes)}`,
	});
}

/** Returns what identifies a resource to a user next to its alias or name: the fields that each create needs. */
export const identityOf = (row: EncodedRow, resource: IDataObject): string => {
	const { fields, key } = row.contract;
	const needed = fields.filter(({ required, wire }) => required && wire.key !== key.searchBy);
	return textBefore(needed, resource, row);
};

/** What a delete would do to a resource. */
export const plannedDelete = (row: EncodedRow, existing: IDataObject, note: string): Result =>
	plannedItem(row, {
		outcome: 'deleted',
		existing,
		before: identityOf(row, existing),
		note,
		write: { contract: row.contract, endpoint: 'delete', id: idIn(existing), fields: [] },
	});

/** What a read returns, as a dry run shows it. */
export const plannedRead = (row: EncodedRow, resources: readonly IDataObject[]): Result => {
	const note = 'Only read';
	const items = resources.map(
		(existing) => plannedItem(row, { outcome: 'read', existing, note }).resources,
	);
	return { resources: items.flat(), outcome: 'read' };
};
