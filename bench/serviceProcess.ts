// The reference service, steered by the process that forked this one: it takes a `Command` and sends a `State`.
import { startService } from '../testkit/service/index.ts';
import { apiKey, type Command, type State } from './service.ts';

const service = await startService({ apiKeys: [apiKey] });
const send = (state: State) => process.send?.(state);

process.on('message', ({ clears, forgets, settings }: Command) => {
	if (clears) service.clear();
	if (forgets) service.requests.length = 0;
	service.set(settings ?? {});
	const { url, requests } = service;
	const refused = requests.filter(({ status }) => status === 429).length;
	send({ url, requests: requests.length, refused });
});
process.once('disconnect', service.stop);
