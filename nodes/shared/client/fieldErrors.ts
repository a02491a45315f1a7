import { isRecord } from '../contract/values';
import type { FieldErrors } from './serviceError';

const messagesOf = (value: unknown): string[] =>
	(Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');

const recordOr = (value: unknown) => (isRecord(value) ? value : {});

/**
 * The field errors of an error answer, or undefined where it names no field. Two shapes are known: `message` as an
 * object, and the framework's `errors` object (assumption: field errors).
 */
export function fieldErrorsOf(body: unknown): FieldErrors | undefined {
	if (!isRecord(body)) return undefined;
	const named = { ...recordOr(body.message), ...recordOr(body.errors) };
	const entries = Object.entries(named).map(
		([field, value]) => [field, messagesOf(value)] as const,
	);
	const told = entries.filter(([, messages]) => messages.length > 0);
	return told.length > 0 ? Object.fromEntries(told) : undefined;
}
