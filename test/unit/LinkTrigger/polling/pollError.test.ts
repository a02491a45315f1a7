import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { pollError } from '../../../../nodes/LinkTrigger/polling/pollError';
import { ServiceError } from '../../../../nodes/shared/transport/failures';

const node = { name: 'Link Trigger', type: 'linkTrigger', typeVersion: 1 } as INode;

const failing = (statusCode?: number) =>
	new ServiceError({
		cause: 'rejected',
		message: 'ECONNREFUSED is part of this message',
		advice: 'Look at the service.',
		statusCode,
	});

it.each<[statusCode: number | undefined, cause: string]>([
	[401, 'credential-invalid'],
	[403, 'credential-invalid'],
	[404, 'temporarily-unavailable'],
	[503, 'temporarily-unavailable'],
	[undefined, 'temporarily-unavailable'],
])('names the cause of a failure with status %p as %s', (statusCode, cause) => {
	const error = pollError(node, failing(statusCode));
	expect(error).toBeInstanceOf(NodeApiError);
	expect(error).toMatchObject({
		failure: { cause },
		message: 'ECONNREFUSED is part of this message',
		description: 'Look at the service.',
		httpCode: statusCode === undefined ? null : String(statusCode),
	});
});

it('names the cause of a wrong setting', () => {
	const wrong = new NodeOperationError(node, 'Events is empty');
	expect(pollError(node, wrong)).toBe(wrong);
	expect(wrong).toMatchObject({ failure: { cause: 'configuration-invalid' } });
});

it.each([new TypeError('a bug'), 'text', undefined])('leaves %p as it is', (error) => {
	expect(pollError(node, error)).toBe(error);
});
