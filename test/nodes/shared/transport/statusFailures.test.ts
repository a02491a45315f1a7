import { fieldErrorsOf } from '../../../../nodes/shared/transport/statusFailures';

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
