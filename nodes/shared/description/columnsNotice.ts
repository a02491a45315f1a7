import type { INodeProperties } from 'n8n-workflow';
import { mapAutomatically, mappingMode } from '../contract/columns';
import { fillableFields, identifierFields, type FillableField } from '../contract/columnTargets';
import { defaultMatch, matchBy, matchesRows } from '../contract/matchBy';
import type { OperationName } from '../contract/types';
import type { ResourceContract } from '../contract/resourceTypes';
import { columnNamesLabel, nodeOptions } from './nodeOptions';

/** A list is all that n8n shows of HTML in a notice, apart from links. One long paragraph of headings is hard to read. */
const listOf = (lines: readonly string[]): string =>
	`<ul>${lines.map((line) => `<li>${line}</li>`).join('')}</ul>`;

const labelsOf = (fields: readonly FillableField[]): string =>
	fields.map(({ target }) => target.displayName).join(', ');

const isSecret = ({ target: { property } }: FillableField): boolean =>
	property.typeOptions?.password === true;

const isAdvanced = ({ target }: FillableField): boolean => target.place === 'advancedFields';

const hasSynonyms = ({ synonyms = [] }: FillableField): boolean => synonyms.length > 0;

const isPart = ({ target }: FillableField): boolean => target.inputName !== undefined;

/** `Alias (slug, back-half)` */
const synonymsLine = ({ target, synonyms = [] }: FillableField): string =>
	`${target.displayName} (${synonyms.join(', ')})`;

/** Returns the lines of the headings that Match By reads: `ID if Match By is ID`. */
function identifierLines(contract: ResourceContract, operation: OperationName): string[] {
	if (!matchesRows(operation)) return [];
	const way = matchBy(contract).displayName;
	return identifierFields(contract).map(
		({ target: { displayName } }) => `${displayName} if ${way} is ${displayName}`,
	);
}

/** Sorts required fields to the beginning, in the order of the contract table, and the others by their names. */
function byRank({ target: one }: FillableField, { target: other }: FillableField): number {
	const [first, second] = [one, other].map(({ property }) => property.required === true);
	if (first !== second) return first ? -1 : 1;
	return first ? 0 : one.displayName.localeCompare(other.displayName);
}

/** Returns one line for each group of headings: fields with synonyms first, fields that few users need last. */
function linesOf(contract: ResourceContract, operation: OperationName): string[] {
	const match = matchesRows(operation) ? defaultMatch(contract).value : undefined;
	const fields = fillableFields(contract, operation, { matchBy: match });
	const secrets = fields.filter(isSecret);
	const advanced = fields.filter(isAdvanced);
	const parts = fields.filter(isPart);
	const named = fields.filter(hasSynonyms);
	const others = fields
		.filter((field) => ![secrets, advanced, parts, named].some((group) => group.includes(field)))
		.sort(byRank);
	const secretsLine = `${labelsOf(secrets)}, with ${nodeOptions.mapPasswords.displayName} under Options`;
	return [
		...named.map(synonymsLine),
		...[others, parts, advanced].filter(({ length }) => length > 0).map(labelsOf),
		...(secrets.length > 0 ? [secretsLine] : []),
		...identifierLines(contract, operation),
	];
}

/** Returns the notice that lists the headings which map by themselves. */
export function columnsNotice(
	contract: ResourceContract,
	operation: OperationName,
): INodeProperties {
	const list = listOf(linesOf(contract, operation));
	return {
		displayName: `Columns with these names are mapped. Case, spaces and punctuation are ignored.${list}For other names, add ${columnNamesLabel} under Options.`,
		name: 'columnsNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { [mappingMode.name]: [mapAutomatically] } },
	};
}
