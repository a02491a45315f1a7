import type { NodeHint } from 'n8n-workflow';
import { rulesByTargetType } from './fields/targeting';

/** Returns a hint that the editor shows while a condition on the operation and the form is true. */
const hint = (message: string, condition: string): NodeHint => ({
	message,
	type: 'info',
	location: 'outputPane',
	whenToDisplay: 'beforeExecution',
	displayCondition: `={{ ((operation, form) => Boolean(${condition}))($parameter.operation, $parameter[$parameter.operation === "update" ? "updateFields" : "additionalFields"] ?? {}) }}`,
});

const creates = '["create", "sync", "upsert"].includes(operation)';

/** Hints about fields that need another field. Services accept incomplete values without an error (assumption: limits). */
export const linkHints: NodeHint[] = [
	hint(
		'Target Type needs rules. Add them too.',
		`${creates} && form.targetType && !form[(${JSON.stringify(rulesByTargetType)})[form.targetType]]`,
	),
	hint(
		'Statistics Privacy is Password. Set Statistics Password, too.',
		`${creates} && form.privacy === 2 && !form.privacyPassword`,
	),
	hint(
		'These pixels replace all pixels of the link. To keep them, set Pixel Mode to Add or Remove.',
		'operation === "update" && form.pixelIds && !form.pixelMode',
	),
];
