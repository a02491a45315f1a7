import type { NodeHint } from 'n8n-workflow';

/** What the editor tells before a run that may take long, or that asks much of the service (assumption: throttle). */
export const hints: NodeHint[] = [
	{
		message:
			'Services commonly take 60 requests a minute. The node waits as long as the service says and goes on by itself; Max Wait under Options says how long a row may wait.',
		type: 'info',
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
		displayCondition: '={{ $input.all().length > 60 }}',
	},
	{
		message:
			'More than 20 requests at the same time rarely make a run faster, and reach the rate limit of the service sooner',
		type: 'warning',
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
		displayCondition: '={{ $parameter["options"]["concurrency"] > 20 }}',
	},
];
