import { NodeApiError, NodeOperationError, type ILoadOptionsFunctions } from 'n8n-workflow';
import { ServiceError, settled, type Failure } from '../client/serviceError';
import { Session, type Requester } from '../client/session';
import { clockOf } from '../connect/clock';
import { connect } from '../connect/connect';

/** A person waits for the list, so a failing service shows its error soon: milliseconds, and few repeats. */
const patience = { timeout: 10_000, maxWait: 3_000 };

type Question<T> = (requester: Requester) => Promise<T>;

/** Asks the service something while a person looks at the node, with the credential that the node has chosen. */
async function answerTo<T>(
	context: ILoadOptionsFunctions,
	question: Question<T>,
): Promise<ServiceError | T> {
	const answer = async () => {
		const service = await connect(context, patience.timeout);
		const clock = clockOf(() => undefined);
		const options = { concurrency: 1, requestsPerMinute: 0, ignoreMissing: false };
		const session = new Session(service, clock, { ...options, maxWait: patience.maxWait });
		return await question(session.forRow());
	};
	return await settled(answer());
}

/** The editor takes a hyphen in a message for the end of a part, and loses it; it knows no other kind of hyphen. */
const kept = (message: string) => message.replaceAll('-', '\u2011');

/** One of these the editor shows itself, with a link to the credential. */
const credentialStatuses: ReadonlyArray<Failure['statusCode']> = [401, 403];

/**
 * Answers a list that is searched.
 *
 * @throws NodeApiError, whose message and description the editor shows in place of the list
 */
export async function askForList<T>(
	context: ILoadOptionsFunctions,
	question: Question<T>,
): Promise<T> {
	const answer = await answerTo(context, question);
	if (!(answer instanceof ServiceError)) return answer;
	const { message, advice, statusCode } = answer.failure;
	const isShown = credentialStatuses.includes(statusCode);
	const told = isShown ? message.replace(` (HTTP ${statusCode})`, '') : message;
	const httpCode = isShown ? String(statusCode) : undefined;
	const texts = { message: kept(told), description: advice, httpCode };
	throw new NodeApiError(context.getNode(), {}, texts);
}

/**
 * Answers a list that comes as a whole.
 *
 * @throws NodeOperationError, because for such a list the editor shows the message of no other error
 */
export async function askForOptions<T>(
	context: ILoadOptionsFunctions,
	question: Question<T>,
): Promise<T> {
	const answer = await answerTo(context, question);
	if (!(answer instanceof ServiceError)) return answer;
	const { message, advice } = answer.failure;
	throw new NodeOperationError(context.getNode(), `${message}. ${advice}`);
}
