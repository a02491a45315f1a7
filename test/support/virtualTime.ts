import { VirtualTime } from '../../testkit/clock/virtualTime.ts';

let time: VirtualTime | undefined;

/** Runs each test on virtual time. Fixtures that a test combines share it. */
export function useVirtualTime(): void {
	beforeEach(() => {
		time ??= VirtualTime.start();
	});
	afterEach(() => {
		time?.stop();
		time = undefined;
	});
}
