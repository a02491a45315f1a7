import type { IExecuteFunctions } from 'n8n-workflow';
import { costOf, progressOf } from '../../../../nodes/shared/execute/progress';
import { RowNumbers } from '../../../../nodes/shared/execute/rowNumbers';
import type { ApiClient } from '../../../../nodes/shared/transport/client';

const client = (limiter: object, requestsPerMinute = 0) =>
	({ limiter, options: { requestsPerMinute } }) as unknown as ApiClient;

const learned = (remaining: number) => ({ throttle: { limit: 100, remaining } });

it.each<[requests: number, of: ApiClient | undefined, text: string]>([
	[1, undefined, 'about 1 request, with no waiting if the limit is 60 a minute'],
	[60, undefined, 'about 60 requests, with no waiting if the limit is 60 a minute'],
	[
		61,
		undefined,
		'about 61 requests, with about 60 seconds of waiting if the limit is 60 a minute',
	],
	[
		880,
		undefined,
		'about 880 requests, with about 14 minutes of waiting if the limit is 60 a minute',
	],
	[
		12_000,
		undefined,
		'about 12000 requests, with about 3 hours of waiting if the limit is 60 a minute',
	],
	[100, client(learned(100)), 'about 100 requests, with no waiting at the limit of 100 a minute'],
	[
		101,
		client(learned(100)),
		'about 101 requests, with about 60 seconds of waiting at the limit of 100 a minute',
	],
	[
		300,
		client(learned(0)),
		'about 300 requests, with about 3 minutes of waiting at the limit of 100 a minute',
	],
	[
		30,
		client({ throttle: {} }, 10),
		'about 30 requests, with about 3 minutes of waiting at the limit of 10 a minute',
	],
])('estimates %d requests', (requests, of, text) => {
	expect(costOf(requests, of)).toBe(text);
});

describe('the progress of a run', () => {
	const begin = () => {
		const now = jest.spyOn(performance, 'now').mockReturnValue(0);
		const lines: string[] = [];
		const context = {
			getNode: () => ({ name: 'Link' }),
			logger: { info: (line: string) => lines.push(line) },
			sendMessageToUI: (line: string) => lines.push(line),
		};
		const progress = progressOf(
			context as unknown as IExecuteFunctions,
			5,
			(count) => `${count} requests`,
			new RowNumbers([], true),
		);
		return { progress, lines, passTo: (time: number) => now.mockReturnValue(time) };
	};

	afterEach(() => jest.restoreAllMocks());

	it('is reported every ten seconds', () => {
		const { progress, lines, passTo } = begin();
		progress.started(10);
		progress.ended(2, true);
		expect(lines).toEqual([]);
		passTo(10_000);
		progress.ended(2, true);
		const line = 'Link: 2 of 5 items done; remaining: 6 requests';
		expect(lines).toEqual([line, line]);
		passTo(19_999);
		progress.ended(2, false);
		expect(lines).toHaveLength(2);
		passTo(20_000);
		progress.ended(9, false);
		expect(lines.at(-1)).toBe('Link: 2 of 5 items done');
	});

	it('is reported at a long wait', () => {
		const { progress, lines } = begin();
		progress.pauses(9_999);
		expect(lines).toEqual([]);
		progress.pauses(12_000);
		expect(lines[0]).toBe('Link: 0 of 5 items done; waiting 12 seconds for the service');
	});
});
