/** Node runs TypeScript in demo/ by itself; for Jest, swc turns tests, demo and nodes into CommonJS. */
module.exports = {
	rootDir: '..',
	testMatch: ['**/*.test.ts'],
	roots: ['<rootDir>/test'],
	testPathIgnorePatterns: ['<rootDir>/test/(browser|e2e|scale)/'],
	transform: { '\\.ts$': '@swc/jest' },
	testTimeout: 30_000,
	// Many tests wait for a service that is slow or limits requests.
	maxWorkers: 2,
};
