import type { IDataObject } from 'n8n-workflow';
import { fieldsToCreate, searchTextOf, type EncodedRow } from '../contract/encodedRow';
import type { EncodedField } from '../contract/fieldTypes';
import { idOf } from '../contract/readers';
import { isSecret, isTextual } from '../contract/values';
import { checkComplete, type ReconcileStep } from './reconcile';
import type { Outcome, Result } from './types';
import { blank, textAfter, textBefore } from './dryRunText';

/** An output item of a dry run, without the name of the resource. */
interface Planned {
	readonly outcome: Outcome;
	/** The current resource; undefined if there is none. */
	readonly existing?: IDataObject;
	/** The alias or name of the row, for a resource that does not exist or does not show it. */
	readonly text?: string;
	/** The fields that would change; a dash if there are none. */
	readonly before?: string;
	readonly after?: string;
	readonly note: string;
}

/**
 * Returns an output item of a dry run. All items have the same keys. No value is undefined, an object or an empty text,
 * because n8n's table shows these in red.
 */
export function plannedItem({ contract }: Pick<EncodedRow, 'contract'>, plan: Planned): Result {
	const { outcome, existing, before = blank, after = blank, note } = plan;
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
	return { resources: [item], outcome };
}

/** Returns the plan of an update. */
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
	});

/** Returns what an update changes. The service returns no passwords, so the node cannot know whether they differ. */
function changesText(changes: readonly EncodedField[]): string {
	const secrets = changes.filter(({ field, cleared }) => isSecret(field) && !cleared).length;
	const others = changes.length - secrets;
	const sent = 'The password is sent each time, because the service does not return it';
	const changed = `Changes ${others} ${others === 1 ? 'field' : 'fields'}`;
	if (others === 0) return sent;
	return secrets === 0 ? changed : `${changed}. ${sent}`;
}

/**
 * Returns the plan of a step.
 *
 * @param note replaces the note about a create or an update
 * @throws ServiceError if the step would fail
 */
export function plannedReconcile(row: EncodedRow, step: ReconcileStep, note?: string): Result {
	const { existing, changes } = step;
	const text = searchTextOf(row);
	if (!existing) {
		checkComplete(row);
		return plannedItem(row, {
			outcome: 'created',
			text,
			after: textAfter(fieldsToCreate(row)),
			note: note ?? 'New',
		});
	}
	if (changes.length === 0) {
		return plannedItem(row, { outcome: 'unchanged', existing, text, note: 'Nothing to change' });
	}
	return plannedUpdate(row, existing, changes, {
		outcome: 'updated',
		text,
		note: note ?? changesText(changes),
	});
}

/** Returns the fields that identify a resource to the user, in addition to its alias or name: the fields that each create needs. */
export const requiredTexts = (row: EncodedRow, resource: IDataObject): string => {
	const { fields, key } = row.contract;
	const needed = fields.filter(({ required, wire }) => required && wire.key !== key.searchBy);
	return textBefore(needed, resource, row);
};

/** Returns the plan of a delete. */
export const plannedDelete = (row: EncodedRow, existing: IDataObject, note: string): Result =>
	plannedItem(row, {
		outcome: 'deleted',
		existing,
		before: requiredTexts(row, existing),
		note,
	});
