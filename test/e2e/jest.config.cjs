/** The end-to-end tests start real processes, one at a time, and wait for them. */
module.exports = {
	rootDir: '../..',
	roots: ['<rootDir>/test/e2e'],
	transform: { '\\.ts$': '@swc/jest' },
	maxWorkers: 1,
	testTimeout: 240_000,
};
