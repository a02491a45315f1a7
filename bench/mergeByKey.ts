import { triesAgain, type Access, type Contestant } from './contestants.ts';
import { http, httpPages } from './httpNode.ts';
import type { Node } from './workflow.ts';

const splitOut: Node = {
	type: 'n8n-nodes-base.splitOut',
	typeVersion: 1,
	parameters: { fieldToSplitOut: 'data', options: {} },
};

/** Joins rows and links of the same alias; the row's columns get the suffix 1, the link's 2. */
const mergeByAlias: Node = {
	type: 'n8n-nodes-base.merge',
	typeVersion: 3.2,
	parameters: {
		mode: 'combine',
		fieldsToMatchString: 'alias',
		options: { clashHandling: { values: { resolveClash: 'addSuffix' } } },
	},
};

const whereUrlsDiffer: Node = {
	type: 'n8n-nodes-base.filter',
	typeVersion: 2.2,
	parameters: {
		conditions: {
			combinator: 'and',
			options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
			conditions: [
				{
					id: 'differs',
					leftValue: '={{ $json.url_1 }}',
					rightValue: '={{ $json.url_2 }}',
					operator: { type: 'string', operation: 'notEquals' },
				},
			],
		},
		options: {},
	},
};

const update = (access: Access): Node =>
	http(
		{
			method: 'PUT',
			url: `=${access.service}/api/v1/links/{{ $json.id_2 }}`,
			sendBody: true,
			contentType: 'form-urlencoded',
			bodyParameters: { parameters: [{ name: 'url', value: '={{ $json.url_1 }}' }] },
			options: {},
		},
		access,
		triesAgain,
	);

/** What a user builds of n8n's own nodes: read the list, merge it with the rows, keep what differs, update that. */
export const httpMerge = (): Contestant => ({
	name: 'HTTP Request + Merge by key',
	steps: (access) => ({
		chain: [mergeByAlias, whereUrlsDiffer, update(access)],
		beside: [httpPages(access, triesAgain), splitOut],
	}),
});
