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

/** Returns one line for each group of columns, the most common groups first. */
function columnLines(contract: ResourceContract, operation: OperationName): string[] {
	const choices = operationTable[operation].matchBy ? contract.matchBy : [];
	const { displayName: label } = matchBy(contract);
	const match = choices.length > 0 ? defaultMatch(contract).value : undefined;
	const fields = columnTargets(contract, operation, match);
	const group = (name: string) => fields.filter((field) => groupOf(field) === name);
	// Required fields first, in the order of the contract, and then the other fields by label.
	const others = sortBy(group('other'), ({ property, displayName }) =>
		property.required ? '' : displayName,
	);
	const secrets = labelsOf(group('secret'));
	return [
		...group('named').map(
			({ displayName, headings }) => `${displayName} (${headings.synonyms?.join(', ')})`,
		),
		...[others, group('input')].map(labelsOf).filter((line) => line !== ''),
		...(secrets ? [`${secrets}, with ${nodeOptions.mapPasswords.displayName} under Options`] : []),
		// The columns that only one choice of Match By reads.
		...choices.flatMap(({ name: choice, value }) =>
			columnTargets(contract, operation, value)
				.filter(({ name }) => fields.every((field) => field.name !== name))
				.map(({ displayName }) => `${displayName} if ${label} is ${choice}`),
		),
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
