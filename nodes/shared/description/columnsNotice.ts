import type { INodeProperties } from 'n8n-workflow';
import { columnTargets, type ColumnTarget } from '../contract/columns';
import { defaultMatch } from '../contract/layout';
import type { OperationName } from '../contract/types';
import type { ResourceContract } from '../contract/resourceTypes';
import { operationTable } from '../contract/operations';
import { isSecret, sortBy } from '../contract/values';
import { nodeOptions } from './nodeOptions';
import { matchBy, whenMapped } from './parameters';

const labelsOf = (fields: readonly ColumnTarget[]): string =>
	fields.map(({ displayName }) => displayName).join(', ');

/** Returns the group of columns that a field belongs to. */
function groupOf({ property, inputName, headings }: ColumnTarget): string {
	if (isSecret(property)) return 'secret';
	if (inputName !== undefined) return 'input';
	return headings.synonyms ? 'named' : 'other';
}

/** Returns `Alias (slug, back-half)`. */
const synonymsLine = ({ displayName, headings: { synonyms = [] } }: ColumnTarget): string =>
	`${displayName} (${synonyms.join(', ')})`;

/** Returns the lines of the columns that only one choice of Match By reads: `ID if Match By is ID`. */
function matchLines(contract: ResourceContract, operation: OperationName): string[] {
	if (!operationTable[operation].matchBy) return [];
	const { displayName } = matchBy(contract);
	const always = columnTargets(contract, operation, defaultMatch(contract).value);
	return contract.matchBy.flatMap(({ name: choice, value }) =>
		columnTargets(contract, operation, value)
			.filter(({ name }) => always.every((field) => field.name !== name))
			.map((target) => `${target.displayName} if ${displayName} is ${choice}`),
	);
}

/** Returns required fields first, in the order of the contract, and then the other fields by label. */
const sortFields = (fields: readonly ColumnTarget[]): ColumnTarget[] =>
	sortBy(fields, ({ property, displayName }) => (property.required ? '' : displayName));

/** Returns one line for each group of columns, the most common groups first. */
function columnLines(contract: ResourceContract, operation: OperationName): string[] {
	const match = operationTable[operation].matchBy ? defaultMatch(contract).value : undefined;
	const fields = columnTargets(contract, operation, match);
	const group = (name: string) => fields.filter((field) => groupOf(field) === name);
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
	// In a notice, n8n shows only lists and links.
	const lines = columnLines(contract, operation).map((line) => `<li>${line}</li>`);
	return {
		displayName: `Columns with these names are mapped. Case, spaces, _ and - are ignored.<ul>${lines.join('')}</ul>Rename other columns with an Edit Fields node.`,
		name: 'columnsNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: whenMapped },
	};
}
