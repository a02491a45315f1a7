/** The tests of n8n's queue mode start Redis, PostgreSQL and several processes of n8n, and break some of them. */
module.exports = {
	rootDir: '../..',
	roots: ['<rootDir>/test/scale'],
	transform: { '\\.ts$': '@swc/jest' },
	maxWorkers: 1,
	testTimeout: 240_000,
};
