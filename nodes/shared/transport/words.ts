/** `1 second`, `12 seconds`: milliseconds as people say them, rounded up. */
export function inSeconds(milliseconds: number): string {
	const whole = Math.ceil(milliseconds / 1000);
	return `${whole} ${whole === 1 ? 'second' : 'seconds'}`;
}
