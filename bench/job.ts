import type { Settings } from '../demo/service/index.ts';
import type { Link, Measure } from './results.ts';

/** What the bare pool is to do, given on its command line as JSON. */
export interface Job {
	/** Address of the service, without a slash at its end. */
	service: string;
	apiKey: string;
	operation: 'create' | 'list' | 'resync';
	/** Number of the first row. */
	first: number;
	rows: number;
	/** Whether it creates links as they are before a resync. */
	isOld?: true;
	/** Connections, each with one request at a time. */
	concurrency: number;
	/** The limit of the service, which the pool knows beforehand. */
	throttle: Settings['throttle'];
}

/** What it writes to its standard output, as JSON. */
export interface Done extends Measure {
	links: Link[];
}
