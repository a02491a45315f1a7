import type { INodeProperties } from 'n8n-workflow';
import { fillableFields, type FillableField } from '../contract/columns';
import { defaultMatch } from '../contract/layout';
import type { OperationName } from '../contract/types';
import type { ResourceContract } from '../contract/resourceTypes';
import { matchesRows } from '../contract/operations';
import { isSecret, sortBy } from '../contract/values';
import { nodeOptions } from './nodeOptions';
import { matchBy, whenMapped } from './parameters';

/** Returns an HTML list. In a notice, n8n shows only lists and links. */
const htmlList = (lines: readonly string[]): string =>
	`<ul>${lines.map((line) => `<li>${line}</li>`).join('')}</ul>`;

const labelsOf = (fields: readonly FillableField[]): string =>
	fields.map(({ target }) => target.displayName).join(', ');

/** Returns the group of columns that a field belongs to. */
function groupOf({ target, headings }: FillableField): 'input' | 'named' | 'other' | 'secret' {
	if (isSecret(target.property)) return 'secret';
	if (target.inputName !== undefined) return 'input';
	return headings.synonyms ? 'named' : 'other';
}

/** Returns `Alias (slug, back-half)`. */
const synonymsLine = ({ target, headings: { synonyms = [] } }: FillableField): string =>
	`${target.displayName} (${synonyms.join(', ')})`;

/** Returns the lines of the columns that only one choice of Match By reads: `ID if Match By is ID`. */
function matchLines(contract: ResourceContract, operation: OperationName): string[] {
	if (!matchesRows(operation)) return [];
	const { displayName } = matchBy(contract);
	const always = fillableFields(contract, operation, defaultMatch(contract).value);
	return contract.matchBy.flatMap(({ name: choice, value }) =>
		fillableFields(contract, operation, value)
			.filter(({ name }) => always.every((field) => field.name !== name))
			.map(({ target }) => `${target.displayName} if ${displayName} is ${choice}`),
	);
}

/** Returns required fields first, in the order of the contract, and then the other fields by label. */
const sortFields = (fields: readonly FillableField[]): FillableField[] =>
	sortBy(fields, ({ target: { property, displayName } }) => (property.required ? '' : displayName));

/** Returns one line for each group of columns, the most common groups first. */
function columnLines(contract: ResourceContract, operation: OperationName): string[] {
	const match = matchesRows(operation) ? defaultMatch(contract).value : undefined;
	const fields = fillableFields(contract, operation, match);
	const group = (name: ReturnType<typeof groupOf>) =>
		fields.filter((field) => groupOf(field) === name);
	const lines = [sortFields(group('other')), group('input')].map(labelsOf);
	const secrets = labelsOf(group('secret'));
	return [
		...group('named').map(synonymsLine),
		...lines.filter((line) => line !== ''),
		...(secrets ? [`${secrets}, with ${nodeOptions.mapPasswords.displayName} under Options`] : []),
		...matchLines(contract, operation),
	];
}

/** Returns the notice that lists the columns that map automatically. */
export function columnsNotice(
	contract: ResourceContract,
	operation: OperationName,
): INodeProperties {
	const list = htmlList(columnLines(contract, operation));
	return {
		displayName: `Columns with these names are mapped. Case, spaces, _ and - are ignored.${list}Rename other columns with an Edit Fields node.`,
		name: 'columnsNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: whenMapped },
	};
}
