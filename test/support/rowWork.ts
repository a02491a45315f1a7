import type { IDataObject } from 'n8n-workflow';
import { linkContract } from '../../nodes/Link/link.contract';
import { pixelContract } from '../../nodes/Pixel/pixel.contract';
import {
	compare,
	compareResponse,
	mayBeCreatedBy,
	isSame,
} from '../../nodes/shared/contract/compare';
import { isEncoded, type EncodedRow } from '../../nodes/shared/contract/encodedRow';
import type {
	Problem,
	EncodeOptions,
	OperationName,
	Parameters,
} from '../../nodes/shared/contract/types';
import { finishRow } from '../../nodes/shared/contract/encode';
import { encodeRow, draftOf } from './encodeRow.ts';
import type { ResourceContract } from '../../nodes/shared/contract/resourceTypes';
import { fieldErrorText } from '../../nodes/shared/execute/fieldErrors';
import { invalidRow, invalidRowsError } from '../../nodes/shared/execute/nodeErrors';
import { statesOf } from '../../nodes/shared/execute/outcome';
import { RowNumbers } from '../../nodes/shared/execute/sheet';
import { ListIndex } from '../../nodes/shared/operations/listIndex';
import { planningWriter } from '../../nodes/shared/operations/planningWriter';
import { ResponseChecks } from '../../nodes/shared/operations/responses';
import type { RowRequests } from '../../nodes/shared/transport/rowRequests';
import { encodeOptions } from './encodeOptions.ts';
import type { NamedWork } from './growth.ts';
import { findName, plainNode } from './textWork.ts';

const contracts = [linkContract, pixelContract];

const options: EncodeOptions = { ...encodeOptions, takesColumns: true };

/** The parameters of a row in which each field that the operation has, and each part of the scope, has the same value. */
function parametersOf(
	contract: ResourceContract,
	operation: OperationName,
	value: unknown,
): Parameters {
	const places = [
		...contract.fields.map(({ name, wire: { on } }) => ({ name, place: on[operation] })),
		...contract.sync.scope.map(({ name }) => ({ name, place: 'syncScope' as const })),
	];
	const parameters: Record<string, unknown> = { [contract.id.name]: value };
	for (const { name, place } of places) {
		if (place === 'top') parameters[name] = value;
		else if (place) parameters[place] = { ...(parameters[place] as object), [name]: value };
	}
	return parameters;
}

/** A resource that has the text wherever it may have one. */
function resourceOf({ fields, output }: ResourceContract, text: string): IDataObject {
	const nested = { id: text, name: text, key: text, value: text };
	const keys = fields.flatMap(({ wire: { key } }) => [key, `${key}_target`]);
	return {
		...Object.fromEntries([...keys, ...output.map(({ name }) => name)].map((key) => [key, text])),
		...{ id: text, short_url: text, ends_at: text, domain: nested, space: nested },
		...{ pixels: [nested, text], country_target: [nested], rotation_target: [nested] },
	};
}

/** Makes all messages about an invalid row, alone and with others of the same. */
function report(contract: ResourceContract, encoded: readonly Problem[]): void {
	const rows = [0, 1, 2].map((index) => ({ index, encoded, name: encoded[0]?.value }));
	const numbers = new RowNumbers([], true);
	const context = { node: plainNode, contract, numbers };
	invalidRow({ index: 0, encoded });
	for (const count of [1, 3])
		invalidRowsError(context, rows.slice(0, count), statesOf([0, 1, 2], new Map()));
}

/** Makes what a dry run shows of a row that creates a resource, or changes one. It sends no request. */
async function plan(row: EncodedRow, before?: IDataObject): Promise<void> {
	const writer = planningWriter(new ResponseChecks(row.contract, false));
	const requests = {} as RowRequests;
	const update = { id: '1', fields: row.fields, outcome: 'updated' } as const;
	await (before
		? writer.write(requests, row, { ...update, before })
		: writer.write(requests, row, { outcome: 'created' }));
}

/** Encodes a row, and makes of it what a dry run shows, or the messages about it. */
function work(
	contract: ResourceContract,
	operation: OperationName,
	value: unknown,
	own = {},
): void {
	const parameters = parametersOf(contract, operation, value);
	const run = { contract, operation, options: { ...options, resourceOptions: own } };
	const { row, problems } = finishRow(draftOf(run, parameters), findName);
	if (problems.length === 0) void plan(row);
	else report(contract, problems);
}

/** Works on the cells of a row of each operation. */
const operationWorks = contracts.flatMap((contract) =>
	contract.operations.map(
		({ value: operation }): NamedWork => [
			`row of ${contract.value} ${operation}`,
			(text) => work(contract, operation, text),
		],
	),
);

/** Works on the lists and objects of a row, and on its options. */
const structureWorks = contracts.flatMap((contract) =>
	(['create', 'getAll'] as const).map(
		(operation): NamedWork => [
			`lists and objects of ${contract.value} ${operation}`,
			(text) => {
				work(contract, operation, [text, { key: text, value: text }]);
				work(contract, operation, { [text]: text });
			},
		],
	),
);

/** A row whose texts are ordinary, to be compared with what a service answers. */
function ordinary(contract: ResourceContract): EncodedRow {
	const expiration = '2031-01-10T11:00';
	const country = { rules: [{ key: 'DE', value: 'https://e.example' }] };
	const parameters = {
		...{ url: 'https://e.example', alias: 'one', domainId: 1 },
		...{ name: 'one', value: 'one', type: 'facebook' },
		additionalFields: { expiration, country, pixelIds: [1], privacy: 1, disabled: true },
	};
	const row = encodeRow({ contract, operation: 'upsert', options }, parameters);
	if (!isEncoded(row)) throw new Error(JSON.stringify(row));
	return row;
}

/** Works on what a service answers about the resource of a row. */
const answerWorks = contracts.flatMap((contract): NamedWork[] => {
	const row = ordinary(contract);
	const known = new ListIndex([row]);
	return [
		[
			`comparison of a row with a ${contract.value}`,
			(text) => {
				const resource = resourceOf(contract, text);
				for (const matches of [isSame, mayBeCreatedBy]) matches(row, resource);
				known.isRequested(resource);
				for (const field of row.fields) compare(field, resource, row);
				void plan(row, resource);
			},
		],
		[
			`check of an answer about a ${contract.value}`,
			(text) => {
				const before = resourceOf(contract, `${text}!`);
				const answer = resourceOf(contract, text);
				for (const field of row.fields) compareResponse(field, answer, row, before);
			},
		],
		[
			`field errors about a ${contract.value}`,
			(text) =>
				fieldErrorText(
					contract,
					{ index: 0, encoded: row },
					{
						[text]: [text, text],
						[`country.0.${text}`]: [text],
					},
				),
		],
	];
});

/** Works on whole rows, and on whole resources that a service answers with. */
export const rowWorks: readonly NamedWork[] = [
	...operationWorks,
	...structureWorks,
	...answerWorks,
];
