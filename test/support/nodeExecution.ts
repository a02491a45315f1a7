import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
} from 'n8n-workflow';
import { linkContract } from '../../nodes/Link/link.contract';
import { executeNode } from '../../nodes/shared/execute/execute';
import { executionLike, type ExecutionLike } from './execution.ts';
import { labelOf, type Answers } from './operationRun.ts';

interface NodeLike extends ExecutionLike {
	readonly answers: Answers;
	readonly continueOnFail?: boolean;
	/** Parts of the credential that differ from a valid one. A test may change them between two tries. */
	readonly credential?: IDataObject;
}

/** The number of accounts. Each has its own key, so that no account waits for the rate limit of another. */
let accounts = 0;

/** The Link node in one run of a workflow, with the parts of n8n that it uses. It sends its requests to a function. */
export function linkNode({ answers, continueOnFail = false, credential, ...given }: NodeLike) {
	accounts += 1;
	const account = { baseUrl: 'https://links.example', apiKey: `key-${accounts}` };
	const sent: string[] = [];
	const hints: string[] = [];
	const run = {};
	const httpRequestWithAuthentication = async (
		_type: string,
		{ url, method = 'GET', body }: IHttpRequestOptions,
	) => {
		const { pathname, searchParams } = new URL(url);
		const form = body instanceof URLSearchParams ? body : searchParams;
		const request = {
			...{ method, path: pathname.replace('/api/v1', '') },
			params: Object.fromEntries(form),
		};
		const answer = answers(request, sent.length);
		sent.push(labelOf(request));
		await Promise.resolve();
		if (answer instanceof Error) throw answer;
		const { status: statusCode = 200, body: answered = null } = answer;
		return { statusCode, headers: {}, body: JSON.stringify(answered) };
	};
	const context = {
		...executionLike(given),
		continueOnFail: () => continueOnFail,
		getTimezone: () => 'UTC',
		getCredentials: async () => await Promise.resolve({ ...account, ...credential }),
		getExecuteData: () => run,
		addExecutionHints: (...added: { message: string }[]) => {
			hints.push(...added.map(({ message }) => message));
		},
		helpers: { httpRequestWithAuthentication },
	} as unknown as IExecuteFunctions;
	return {
		context,
		sent,
		hints,
		/** Executes the node. A second call is another try of the same run. */
		execute: async () => await executeNode(context, linkContract),
	};
}

/** The JSON of the items of the first output. */
export const jsonIn = ([items = []]: INodeExecutionData[][]): IDataObject[] =>
	items.map(({ json }) => json);
