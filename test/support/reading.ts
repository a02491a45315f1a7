import type { Reading } from '../../nodes/shared/contract/types';

/** How rows are read where a test varies nothing about it. */
export const reading: Reading = {
	timeZone: 'UTC',
	now: Date.parse('2026-01-01T00:00Z'),
	allowPast: false,
	emptyValues: 'skip',
};
