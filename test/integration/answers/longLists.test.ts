import { pageOf, useScriptedService } from '../../support/scriptedService.ts';
import { PollingTrigger } from '../../support/pollingTrigger.ts';
import { apiKey } from '../../support/service.ts';

const { current } = useScriptedService();

/** More than a call takes as arguments. */
const many = 130_000;

/** The service has no pages: each list holds all links, and no link is disabled or has expired. */
const showAll = (count: number) =>
	current().follow(({ query }) => {
		const ids = Array.from({ length: query.status ? 0 : count }, (_, index) => index + 1);
		const links = (query.sort === 'desc' ? ids.toReversed() : ids).map((id) => ({ id, clicks: 9 }));
		return pageOf(links, 1, 1, links.length);
	});

it('a trigger is activated and reports the next link, if the service answers with 130,000 links on one page', async () => {
	const trigger = new PollingTrigger('classic', {
		node: 'linkTrigger',
		parameters: { events: ['created', 'deleted'] },
		credential: { baseUrl: current().url, apiKey },
	});
	showAll(many);
	expect((await trigger.activate()).error).toBeUndefined();
	showAll(many + 1);
	expect((await trigger.poll()).events).toContainEqual(
		expect.objectContaining({ event: 'created', id: many + 1 }),
	);
});
