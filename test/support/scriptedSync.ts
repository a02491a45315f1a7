import type { IDataObject } from 'n8n-workflow';
import type { Hooks } from '../../testkit/service/hooks.ts';
import type { Columns } from '../../testkit/service/linkFields.ts';
import { writesIn } from './account.ts';
import { sheetOn } from './mappedSheet.ts';
import { useScriptedService } from './scriptedService.ts';
import type { Run } from './service.ts';

/**
 * A service that keeps the links of an account as a test gives them, and Sync of a sheet into its domain 1: columns mapped,
 * Unmatched Links = Delete, row by row, unless told otherwise.
 */
export function useScriptedSync() {
	const { current, link, pixel } = useScriptedService();

	const sheet = sheetOn(link, { concurrency: 1 }, { maxRemovalPercentage: 100 });

	const sync = async (items: IDataObject[], parameters: Run['parameters'] = {}, run: Run = {}) =>
		await sheet('sync', items, { ...run, parameters: { unmatchedLinks: 'delete', ...parameters } });

	const begin = (links: Columns[], hooks?: Hooks) => current().hold(links, hooks);

	/** The aliases of all links, the oldest first. */
	const aliases = () =>
		current()
			.links.map(({ alias }) => alias)
			.toReversed();

	const writes = () => writesIn(current().requests);

	/** Method and ID of each write. */
	const methods = () => writes().map(([method, id]) => `${method} ${id}`);

	return { current, link, pixel, sync, begin, writes, methods, aliases };
}
