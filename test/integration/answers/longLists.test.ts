import { pageOf, useScriptedService } from '../../support/scriptedService.ts';
import { engines, PollingTrigger, type Engine } from '../../support/pollingTrigger.ts';
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

const triggerOf = (engine: Engine, events: string[]) =>
	new PollingTrigger(engine, {
		node: 'linkTrigger',
		parameters: { events, thresholds: '5' },
		credential: { baseUrl: current().url, apiKey },
	});

describe.each(engines)('a service that answers with 130,000 links on one page (%s)', (engine) => {
	it('lets a trigger be activated, and report the next link', async () => {
		const trigger = triggerOf(engine, ['created']);
		showAll(many);
		expect((await trigger.activate()).error).toBeUndefined();
		expect((await trigger.poll()).error).toBeUndefined();
		showAll(many + 1);
		expect((await trigger.poll()).events).toMatchObject([{ event: 'created', id: many + 1 }]);
	});

	it.each(['clicksReached', 'deleted', 'updated'])('lets one of %s be activated', async (event) => {
		const trigger = triggerOf(engine, [event]);
		showAll(many);
		expect((await trigger.activate()).error).toBeUndefined();
	});
});
