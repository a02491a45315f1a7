const text = { type: 'string' };
const status = { type: 'integer', minimum: 200, maximum: 599 };
const count = { type: 'integer', minimum: 0 };
const anything = {};

const effects = [
	effect('latency', { milliseconds: { type: 'number', minimum: 0 } }),
	effect('drop', { when: { enum: ['before', 'after'] } }),
	effect('status', { status }, { retryAfter: text, body: anything }),
	effect('html', {}, { status }),
	effect('cut'),
	effect('truncatedJson'),
	effect('body', { body: anything }, { status }),
	effect('redirect', { location: text }),
	effect('empty'),
	effect('hang'),
];

const fault = object(
	{ effect: { anyOf: effects } },
	{
		on: object({}, { method: text, path: text }),
		times: count,
		skip: count,
		share: { type: 'number', minimum: 0, maximum: 1 },
	},
);

/** JSON schema of the settings, none required: a misspelt fault is refused rather than quietly ineffective. */
export const settingsSchema = object(
	{},
	{
		throttle: {
			anyOf: [
				{ type: 'null' },
				object({
					limit: count,
					windowSeconds: { type: 'number', exclusiveMinimum: 0 },
				}),
			],
		},
		faults: { type: 'array', items: fault },
		envelope: { enum: ['collection', 'flat', 'simple', 'bare'] },
		errorShape: { enum: ['family', 'framework'] },
		ignorePage: { type: 'boolean' },
		strict: { type: 'boolean' },
		renamesFields: { type: 'boolean' },
	},
);

function effect(kind: string, required: object = {}, optional: object = {}): object {
	return object({ kind: { const: kind }, ...required }, optional);
}

function object(required: object, optional: object = {}): object {
	return {
		type: 'object',
		required: Object.keys(required),
		properties: { ...required, ...optional },
		additionalProperties: false,
	};
}
