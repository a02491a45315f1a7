import type { NodeHint } from 'n8n-workflow';
import { rulesByTargetType } from './fields/targeting';

/** A text that the editor shows while a condition holds, which sees the operation, its fields and its advanced fields. */
const hint = (message: string, condition: string): NodeHint => ({
	message,
	type: 'info',
	location: 'outputPane',
	whenToDisplay: 'beforeExecution',
	displayCondition: `={{ ((operation, form, advanced) => Boolean(${condition}))($parameter.operation, $parameter[$parameter.operation === "update" ? "updateFields" : "additionalFields"] ?? {}, $parameter.advancedFields ?? {}) }}`,
});

const creates = '["create", "sync", "upsert"].includes(operation)';

/** What a field lacks, told as long as it does: services take half of it silently (assumption: limits). */
export const linkHints: NodeHint[] = [
	hint(
		'Target Type needs rules: add them one by one, or all in one value with Target Rules',
		`${creates} && advanced.targetType && !advanced.targetRules && !form[(${JSON.stringify(rulesByTargetType)})[advanced.targetType]]`,
	),
	hint(
		'Whoever may see the statistics needs a password: set it too',
		`${creates} && form.privacy === 2 && !form.privacyPassword`,
	),
	hint(
		'Expiration Date (Raw) and Expiration Time (Raw) need each other; Expiration sets both',
		'Boolean(advanced.expirationDate) !== Boolean(advanced.expirationTime)',
	),
	hint(
		'The pixels replace all that the link has, unless Pixel Mode is Add or Remove',
		'operation === "update" && form.pixelIds && !form.pixelMode',
	),
];
