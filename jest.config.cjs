/** Settings of every project. swc compiles the tests, the test kit and the source of the nodes to CommonJS. */
const project = (name, settings = {}) => ({
	displayName: name,
	rootDir: __dirname,
	// Watch mode sees edits only in these folders.
	roots: ['nodes', 'credentials', 'testkit', 'scripts', 'test'].map(
		(folder) => `<rootDir>/${folder}`,
	),
	testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
	transform: { '[.]ts$': '@swc/jest' },
	// Worktrees and n8n's own folders contain copies of packages that Jest must not index.
	modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.n8n-demo'],
	...settings,
});

/** Run the source of the nodes: no build is needed. */
const onSource = ['unit', 'integration', 'property', 'testkit', 'repository'].map((name) =>
	project(name, {
		testEnvironment: '<rootDir>/test/support/jest/environment.cjs',
		runtime: '<rootDir>/test/support/jest/runtime.cjs',
		setupFiles: [
			'<rootDir>/test/support/n8nEnvironment.ts',
			...(name === 'property' ? ['<rootDir>/test/support/randomTests.ts'] : []),
		],
		// Coverage counts unit and integration tests only. Random tests could hide a line that these do not reach.
		coveragePathIgnorePatterns: ['unit', 'integration'].includes(name)
			? ['/node_modules/']
			: ['<rootDir>/'],
	}),
);

/** `load` takes long, because it simulates hours and measures CPU time; `php` needs PHP. */
const special = ['load', 'php'].map((name) =>
	project(name, { setupFiles: ['<rootDir>/test/support/n8nEnvironment.ts'] }),
);

/** Run the packed build in a real n8n. They take minutes, so they and the two above run only if they are selected by name. */
const onBuild = [
	...['package', 'scale', 'browser'].map((name) => project(name)),
	project('e2e', {
		globalSetup: '<rootDir>/test/support/sharedN8n.ts',
		globalTeardown: '<rootDir>/test/support/stopSharedN8n.ts',
	}),
];

const selectsProjects = process.argv.some((argument) => argument.startsWith('--selectProjects'));

/** @type {import('jest').Config} */
module.exports = {
	projects: selectsProjects ? [...onSource, ...special, ...onBuild] : onSource,
	collectCoverageFrom: ['nodes/**/*.ts', 'credentials/**/*.ts'],
	// Istanbul instruments these files only, so it takes a quarter of the time that V8's own coverage takes.
	coverageProvider: 'babel',
	coverageReporters: ['text-summary'],
	coverageThreshold: { global: { statements: 95, branches: 90, functions: 96, lines: 96 } },
	maxWorkers: 2,
	// Jest ignores the timeout of a single project. The timeout only ends a test that hangs: some tests take a minute on a busy machine.
	testTimeout: 240_000,
};
