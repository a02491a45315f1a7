import { Ajv, type ValidateFunction } from 'ajv';

export interface JsonSchema {
	readonly type: string | readonly string[];
	readonly enum?: readonly (string | null)[];
	readonly items?: JsonSchema;
	readonly properties?: Readonly<Record<string, JsonSchema>>;
}

/** Returns the schema with all properties required, and no others allowed. */
function exact({ items, properties, ...schema }: JsonSchema): object {
	return {
		...schema,
		...(items ? { items: exact(items) } : {}),
		...(properties
			? {
					properties: Object.fromEntries(
						Object.entries(properties).map(([name, each]) => [name, exact(each)]),
					),
					required: Object.keys(properties),
					additionalProperties: false,
				}
			: {}),
	};
}

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
// n8n's schemas have it.
ajv.addKeyword('version');
const validators = new WeakMap<JsonSchema, ValidateFunction>();

/** Returns what of a JSON value does not fit a schema. An object must have exactly the listed properties. */
export function misfits(value: unknown, schema: JsonSchema): string[] {
	const validate = validators.get(schema) ?? ajv.compile(exact(schema));
	validators.set(schema, validate);
	validate(value);
	return (validate.errors ?? []).map(
		({ instancePath, message, params }) => `${instancePath} ${message}: ${JSON.stringify(params)}`,
	);
}
