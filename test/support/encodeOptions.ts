import type { EncodeOptions } from '../../nodes/shared/contract/types';

/** How rows are read where a test varies nothing about it. */
export const encodeOptions: EncodeOptions = {
	timeZone: 'UTC',
	now: Date.parse('2026-01-01T00:00Z'),
	refusesPast: true,
	emptyValues: 'skip',
	resourceOptions: {},
};
