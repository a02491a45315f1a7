import { randomString } from 'n8n-workflow';
import { fieldWith, sentTextOf } from '../../shared/contract/encodedRow';
import type {
	EncodedField,
	ResourceContract,
	ResourceOption,
	RowToComplete,
} from '../../shared/contract/resourceTypes';
import { bounded } from '../../shared/contract/codecs/scalar';
import { choicesOf, isSecret } from '../../shared/contract/values';
import { readMoment } from '../../shared/contract/wallTime';
import { expiration } from './expiration';
import { ruleFields, rulesByTargetType, targetType } from './targeting';
import { tagUrls } from './destination';

export const generateAlias: ResourceOption = {
	displayName: 'Generate Alias',
	name: 'generateAlias',
	type: 'number',
	typeOptions: { minValue: 4, maxValue: 255 },
	default: 8,
	description: 'The length of a random alias for items without one',
	isFor: ({ creates }) => creates === 'always',
	codec: bounded,
};

/** Returns a random alias for a create without one, by which the node can find the link again. */
function randomAlias({ contract, options, values }: RowToComplete): EncodedField[] {
	const length = options.resourceOptions[generateAlias.name];
	if (length === undefined || 'alias' in values) return [];
	const alias = randomString(Math.floor(Number(length)));
	return fieldWith(contract, 'alias', [alias]).map((field) => ({ ...field, isRandom: true }));
}

/**
 * Returns the target type that rules imply. An explicit target type decides which of several rules are valid. Reports each
 * contradiction with both names.
 */
function impliedTargetType(fields: readonly EncodedField[], row: RowToComplete): EncodedField[] {
	const { contract, options, report, values } = row;
	const [first, ...others] = [...ruleFields].filter(([, { name }]) => name in values);
	if (!first) return [];
	const { name, displayName } = targetType;
	if (!(name in values)) {
		const what = `cannot be combined with ${first[1].displayName}; keep only one of them`;
		for (const [, other] of others) report(other, [what]);
		return fieldWith(contract, name, [first[0]]);
	}
	const type = sentTextOf({ fields }, 'target_type');
	const rules = [first, ...others];
	// An output with rules that are off is valid input.
	const isOff = type === '0' && options.takesColumns;
	if (type === undefined || isOff || rules.some(([each]) => each === type)) return [];
	const choice = choicesOf(targetType).find(({ value }) => String(value) === type);
	const what = `contradicts ${displayName} ${choice?.name ?? type}; leave ${displayName} out, or remove this field`;
	for (const [, field] of rules) report(field, [what]);
	return [];
}

/** Reports fields without the field that belongs to them. Services accept them without an error (assumption: limits). */
function checkNeeded(fields: readonly EncodedField[], row: RowToComplete): void {
	const { contract, options, values, reportIncomplete } = row;
	const needs = [
		[targetType.name, rulesByTargetType[sentTextOf({ fields }, 'target_type') ?? '']],
		['privacy', sentTextOf({ fields }, 'privacy') === '2' ? 'privacyPassword' : undefined],
	].map((names) => names.map((name) => contract.fields.find((field) => field.name === name)));
	for (const [field, needed] of needs) {
		if (!field || !needed || needed.name in values) continue;
		const { displayName } = needed;
		const isLeftOut = options.takesColumns && isSecret(needed);
		const other = isLeftOut ? 'add Map Passwords under Options if a column has it, ' : '';
		const what = `needs ${displayName}; fill in ${displayName}, ${other}or leave this field out`;
		reportIncomplete(field, [what]);
	}
}

/** Returns a field that knows whether it is an expiration in the past. */
function withPast(encoded: EncodedField, { options: { now, timeZone } }: RowToComplete) {
	const { field, values, cleared } = encoded;
	if (field.name !== expiration.name || cleared) return encoded;
	const moment = readMoment(values.map(([, text]) => text).join(' '), timeZone);
	return (moment?.instant ?? Infinity) <= now ? { ...encoded, isPast: true as const } : encoded;
}

/**
 * Returns the fields of a link with what follows from them: a random alias, the target type of rules, the UTM parameters in URLs,
 * and the alias as the field to search, because the API cannot set the title, which services search by default (contract 4.1).
 * Reports fields that do not fit together.
 */
export const completeLink: ResourceContract['complete'] = (encoded, row) => {
	const isSearch = 'search' in row.values && !('searchBy' in row.values);
	const fields = [
		...encoded.map((field) => withPast(field, row)),
		...randomAlias(row),
		...impliedTargetType(encoded, row),
		...(isSearch ? fieldWith(row.contract, 'searchBy', ['alias']) : []),
	];
	checkNeeded(fields, row);
	return tagUrls(fields, row);
};
