import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Settings } from '../testkit/service/index.ts';

/** Keeps to a throttle that is known beforehand: as many requests as a window takes, then none until it is over. */
export class Windows {
	private readonly throttle: Settings['throttle'];
	private used = 0;
	/** When the service had surely opened the window. */
	private opened?: number;
	private over?: Promise<void>;

	constructor(throttle: Settings['throttle']) {
		this.throttle = throttle;
	}

	/** Resolves when a request may leave. */
	async turn(): Promise<void> {
		while (this.throttle && this.used >= this.throttle.limit) {
			await (this.over ??= this.nextWindow(this.throttle.windowSeconds * 1000));
		}
		this.used += 1;
	}

	/** Records the time of the first response of a window that the throttle accepted. The window opened before it. */
	answered(headers: IncomingHttpHeaders): void {
		if (headers['x-ratelimit-limit'] !== undefined) this.opened ??= Date.now();
	}

	private async nextWindow(milliseconds: number): Promise<void> {
		const present = Date.now();
		await wait((this.opened ?? present) + milliseconds - present);
		this.used = 0;
		this.opened = undefined;
		this.over = undefined;
	}
}
