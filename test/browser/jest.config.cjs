/** The browser tests share one n8n and one page, so they run one after the other. */
module.exports = {
	rootDir: '../..',
	roots: ['<rootDir>/test/browser'],
	transform: { '\\.ts$': '@swc/jest' },
	maxWorkers: 1,
	testTimeout: 60_000,
};
