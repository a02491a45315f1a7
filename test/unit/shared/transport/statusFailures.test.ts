import type { Method } from '../../../../nodes/shared/contract/endpoints';
import { fieldErrorsOf, statusFailure } from '../../../../nodes/shared/transport/statusFailures';

const failureOf = (status: number, headers: Record<string, string> = {}, method: Method = 'POST') =>
	statusFailure(
		{ method, url: 'https://links.example/api/v1/links', headers: {} },
		{ status, headers, body: '' },
		undefined,
	);

describe('the cause of a failure', () => {
	it.each<[number, string]>([
		...[301, 302, 304, 307].map((status): [number, string] => [status, 'rejected']),
		...[400, 401, 403, 404, 407, 409, 419, 422].map((status): [number, string] => [
			status,
			'rejected',
		]),
		...[500, 501, 502, 504, 599].map((status): [number, string] => [status, 'ambiguous']),
		[429, 'rateLimited'],
		[503, 'maintenance'],
	])('of status %d is %s', (status, cause) => {
		const failure = failureOf(status);
		expect(failure).toMatchObject({ cause, statusCode: status });
		expect(failure.message).toMatch(new RegExp(` \\(HTTP ${status}\\)$`));
	});

	it.each([undefined, '30', 'soon', '-1', ''])(
		'of status 503 with Retry-After %j is that nothing was processed',
		(after) => {
			const failure = failureOf(503, after === undefined ? {} : { 'retry-after': after });
			expect(failure.cause).toBe('maintenance');
			const wait = after === '30' ? '30 seconds' : 'a minute';
			expect(failure.advice).toBe(
				`It did not process the request. Wait ${wait} and run this item again.`,
			);
		},
	);

	it('of another 5xx leaves open what became of a write, and only of a write', () => {
		const open = /^The service may have processed the request: check there /;
		for (const method of ['POST', 'PUT', 'DELETE'] as const) {
			expect(failureOf(500, {}, method).advice).toMatch(open);
		}
		expect(failureOf(500, {}, 'GET').advice).toBe('Try again later.');
	});
});

describe('the field errors of an answer', () => {
	const taken = { alias: ['The alias is taken.'], url: ['Bad URL.', 'Too long.'] };

	it.each<[string, unknown, unknown]>([
		['in `message`, as the family sends them', { message: taken, status: 422 }, taken],
		[
			'in `errors`, as the framework sends them',
			{ message: 'The alias is taken. (and 2 more errors)', errors: taken },
			taken,
		],
		[
			'in `errors` and in `message` together',
			{ message: { name: ['No.'] }, errors: taken },
			{ name: ['No.'], ...taken },
		],
		['in `message` beside an `errors` that names nothing', { message: taken, errors: {} }, taken],
		[
			'with one text instead of a list',
			{ errors: { alias: 'The alias is taken.' } },
			{ alias: ['The alias is taken.'] },
		],
		[
			'under the dotted name of a rule',
			{ errors: { 'country.0.key': ['No.'] } },
			{ 'country.0.key': ['No.'] },
		],
		[
			'without what is no text',
			{ errors: { alias: ['No.', 5, null, {}, ['x']], url: [5], name: null, type: {} } },
			{ alias: ['No.'] },
		],
		[
			'named like a part of every object',
			JSON.parse('{"errors": {"constructor": ["No."]}}'),
			Object.fromEntries([['constructor', ['No.']]]),
		],
	])('are found %s', (_where, body, found) => {
		expect(fieldErrorsOf(body)).toEqual(found);
	});

	it.each<[unknown]>([
		[undefined],
		[null],
		['Bad URL.'],
		[422],
		[true],
		[[]],
		[[taken]],
		[{}],
		[{ message: 'Unauthenticated.' }],
		[{ message: 'Bad URL.', errors: [] }],
		[{ message: ['Bad URL.'], errors: 'Bad URL.' }],
		[{ message: null, errors: null }],
		[{ message: {} }],
		[{ errors: { alias: [] } }],
		[{ data: { errors: taken } }],
	])('are none in %j', (body) => {
		expect(fieldErrorsOf(body)).toBeUndefined();
	});
});
