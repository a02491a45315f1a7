import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** Linux reports CPU time in ticks: 100 per second on every kernel that Node supports. */
const ticksPerSecond = 100;

/** The processes that a process started itself and that still run; none where it has ended. */
function childrenOf(pid: number): number[] {
	const file = `/proc/${pid}/task/${pid}/children`;
	const list = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
	return list === '' ? [] : list.split(' ').map(Number);
}

/** Kills what this process started and what that started, also an n8n that is not ready yet. */
export function killAllStarted(pid = process.pid): void {
	for (const child of childrenOf(pid)) {
		killAllStarted(child);
		try {
			process.kill(child, 'SIGKILL');
		} catch (error) {
			// What has just ended by itself needs no end.
			if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
		}
	}
}

/** Whether a process runs: one that has ended may still be listed, without memory. */
export const isRunning = (pid: number): boolean =>
	existsSync(`/proc/${pid}/status`) && !Number.isNaN(memoryMb(pid, 'VmRSS'));

/** CPU time of a process and all its threads so far, in the kernel and outside. */
export function cpuSeconds(pid: number): number {
	const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
	// The name in parentheses may contain spaces. The third field follows it.
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Forgets the peak of a process's resident memory: from now on a new one counts. */
export function resetPeak(pid: number): void {
	writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** A process's resident memory at this moment (VmRSS) or its peak (VmHWM), in MB of 10^6 bytes. */
export function memoryMb(pid: number, which: 'VmRSS' | 'VmHWM'): number {
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	const [, kib] = new RegExp(`^${which}:\\s*(\\d+) kB$`, 'm').exec(status) ?? [];
	return (Number(kib) * 1024) / 1e6;
}

/**
 * Waits until a process that has just started has freed what only its start needed. n8n's engine does so about ten
 * seconds later; measured before, the start would be most of its memory.
 */
export async function settled(pid: number): Promise<void> {
	const atFirst = memoryMb(pid, 'VmRSS');
	const deadline = Date.now() + 20_000;
	while (memoryMb(pid, 'VmRSS') > 0.8 * atFirst && Date.now() < deadline) await wait(200);
}
