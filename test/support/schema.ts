import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './process.ts';

export interface JsonSchema {
	type: string | string[];
	enum?: string[];
	items?: JsonSchema;
	properties?: Record<string, JsonSchema>;
}

/** The schema that the built package has for an operation's output. */
export function builtSchema(resource: 'link' | 'pixel', operation: string): JsonSchema {
	const folder = { link: 'Link', pixel: 'Pixel' }[resource];
	const file = join('dist/nodes', folder, '__schema__/v1.0.0', resource, `${operation}.json`);
	return JSON.parse(readFileSync(join(projectRoot, file), 'utf8'));
}

function typesOf(value: unknown): string[] {
	if (value === null) return ['null'];
	if (Array.isArray(value)) return ['array'];
	return Number.isSafeInteger(value) ? ['integer', 'number'] : [typeof value];
}

/**
 * What of a JSON value does not fit a schema, as paths with a reason; empty where all fits. Stricter than JSON Schema:
 * an object has exactly the properties that are listed.
 */
export function misfits(value: unknown, schema: JsonSchema, path = '$'): string[] {
	if (!typesOf(value).some((type) => [schema.type].flat().includes(type)))
		return [`${path} is ${typesOf(value).join()}, not ${String(schema.type)}`];
	if (schema.enum && !schema.enum.includes(String(value))) return [`${path} is ${String(value)}`];
	if (Array.isArray(value)) {
		const { items } = schema;
		return items ? value.flatMap((one, index) => misfits(one, items, `${path}[${index}]`)) : [];
	}
	if (typeof value !== 'object' || value === null || !schema.properties) return [];
	const { properties } = schema;
	const keys = new Set([...Object.keys(value), ...Object.keys(properties)]);
	return [...keys].flatMap((key) => {
		const listed = properties[key];
		if (!listed || !Object.hasOwn(value, key)) return [`${path}.${key} is on one side only`];
		return misfits(Reflect.get(value, key), listed, `${path}.${key}`);
	});
}
