import { linkContract } from '../../../../nodes/Link/link.contract';
import {
	outputFields,
	outputSchema,
	project,
	simpleFields,
} from '../../../../nodes/shared/description/output';
import { linkLike } from '../../../support/operationRun.ts';

const { output } = linkContract;
const simple = simpleFields(output).map(({ name }) => name);

it('gives each field, whatever the resource lacks', () => {
	expect(Object.keys(project(simpleFields(output), {}, 'UTC'))).toEqual(simple);
	const fields = output.filter(({ name }) => ['id', 'alias'].includes(name));
	expect(project(fields, linkLike({ id: 7 }), 'UTC')).toEqual({ id: 7, alias: 'a' });
});

it('offers all fields by their names, and chooses the first simple ones', () => {
	const { options, default: chosen } = outputFields(output);
	const names = options.map(({ name }) => name);
	expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other)));
	expect(names).toHaveLength(output.length);
	expect(chosen).toEqual(simple.slice(0, 4));
});

it('describes the items of an operation', () => {
	const keys = (...args: Parameters<typeof outputSchema>) =>
		Object.keys(outputSchema(...args).properties);
	expect(keys(linkContract, 'get')).toEqual(simple);
	expect(keys(linkContract, 'delete')).toEqual(['id', 'deleted']);
	expect(keys(linkContract, 'upsert')).toEqual([...simple, 'outcome']);
	expect(outputSchema(linkContract, 'sync').properties.outcome?.enum).toContain('deleted');
	expect(outputSchema(linkContract, 'upsert').properties.outcome?.enum).not.toContain('deleted');
});
