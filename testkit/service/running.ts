import type { Hooks } from './hooks.ts';
import type { RecordedRequest } from './journal.ts';
import type { Settings } from './settings.ts';

/** A reference service that runs, as tests and the demo hold it. */
export interface RunningService {
	/** Without a slash at its end. */
	url: string;
	/** Live: a change counts from the next request on. */
	settings: Settings;
	/** Changes some settings. New faults count from zero, and a new throttle opens new windows. */
	set(settings: Partial<Settings>): void;
	/** The API requests, in order of arrival. */
	requests: RecordedRequest[];
	/** Live: what changes the answers. A reset removes them. */
	hooks: Hooks;
	/** Empties the journal and the throttle windows; settings are as at the start. Data and keys stay. */
	reset(): void;
	/** A reset that deletes all links and pixels too. */
	clear(): void;
	/** Live: a test can revoke a key. */
	apiKeys: Set<string>;
	counts(): { links: number; pixels: number };
	/** Returns the number of requests that have no answer yet, and whose connections are open. */
	openRequests(): number;
	/** Ends at once, with all open connections and the database. */
	stop(): Promise<void>;
}
