/** `1 second`, `12 seconds`: milliseconds as people say them, rounded. */
export function inSeconds(milliseconds: number): string {
	const whole = Math.round(milliseconds / 1000);
	return `${whole} ${whole === 1 ? 'second' : 'seconds'}`;
}
