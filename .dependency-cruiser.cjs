const { readdirSync } = require('node:fs');
const { join } = require('node:path');

/** The layers of nodes/shared. Each layer may import itself and the layers that are listed. */
const layers = {
	contract: [],
	description: ['contract'],
	qrCode: ['contract'],
	transport: ['contract'],
	operations: ['transport', 'qrCode', 'contract'],
	execute: ['operations', 'transport', 'description', 'contract'],
	methods: ['transport', 'operations', 'contract'],
};

/** The nodes that may import other nodes. Each node may import every layer of nodes/shared. */
const neighbors = { Link: ['Pixel'], LinkTrigger: ['Link', 'Pixel'] };
const nodes = readdirSync(join(__dirname, 'nodes')).filter((name) => name !== 'shared');

/** The folders outside the package, and the folders that each may import. */
const folders = {
	testkit: [],
	bench: ['testkit'],
	demo: ['testkit'],
	scripts: ['testkit', 'nodes', 'credentials'],
	test: ['testkit', 'scripts', 'nodes', 'credentials'],
};

/** Imports that the folders' rules would forbid. */
const exceptions = {
	// The tables of docs/installation.md come from the results of the benchmark and from the simulation that the tests use.
	scripts: ['^bench/results[.]ts$', '^test/support/\\w+[.]ts$'],
};

/** Forbids files of this project that none of the patterns match. */
const ownFilesExcept = (allowed) => ({
	path: '^(nodes|credentials|testkit|bench|demo|scripts|test|docs|index)\\b',
	pathNot: allowed,
});

/** The module that the build bundles with the encoder of QR codes. */
const encoder = '^nodes/shared/qrCode/encoder[.]ts$';

const layerRules = Object.entries(layers).map(([layer, allowed]) => ({
	name: `layer-${layer}`,
	comment: `nodes/shared/${layer} may import ${[...allowed, 'nothing else'].join(', ')}.`,
	severity: 'error',
	from: { path: `^nodes/shared/${layer}/` },
	to: ownFilesExcept([layer, ...allowed].map((each) => `^nodes/shared/${each}/`)),
}));

const nodeRules = nodes.map((node) => ({
	name: `node-${node}`,
	comment: `nodes/${node} may import nodes/shared and the nodes that are listed above.`,
	severity: 'error',
	from: { path: `^nodes/${node}/` },
	to: ownFilesExcept(['shared', node, ...(neighbors[node] ?? [])].map((each) => `^nodes/${each}/`)),
}));

const folderRules = Object.entries(folders).map(([folder, allowed]) => ({
	name: `folder-${folder}`,
	comment: `${folder} may import ${[...allowed, 'nothing else'].join(', ')}.`,
	severity: 'error',
	from: { path: `^${folder}/` },
	to: ownFilesExcept([
		...[folder, ...allowed].map((each) => `^${each}/`),
		...(exceptions[folder] ?? []),
	]),
}));

const known = [
	...Object.keys(layers).map((layer) => `^nodes/shared/${layer}/`),
	...nodes.map((node) => `^nodes/${node}/`),
];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
	forbidden: [
		...layerRules,
		...nodeRules,
		...folderRules,
		{
			name: 'credentials',
			comment: 'The credential takes the rules of an address from nodes/shared/transport.',
			severity: 'error',
			from: { path: '^credentials/' },
			to: ownFilesExcept(['^credentials/', '^nodes/shared/transport/']),
		},
		{
			name: 'unknown-folder',
			comment: 'List each layer above, with the folders that it may import.',
			severity: 'error',
			from: { path: '^nodes/', pathNot: known },
			to: {},
		},
		{
			name: 'only-n8n-workflow',
			comment: 'The published package has no dependency but n8n-workflow.',
			severity: 'error',
			from: { path: '^(nodes|credentials)/', pathNot: encoder },
			to: { pathNot: ['^(nodes|credentials)/', 'node_modules/n8n-workflow/'] },
		},
		{
			name: 'only-encoder-has-uqr',
			comment: 'The build bundles uqr with this module only.',
			severity: 'error',
			from: { path: encoder },
			to: { pathNot: 'node_modules/uqr/' },
		},
		{
			name: 'unit-tests-without-n8n-core',
			comment:
				'Unit tests run on each Node that package.json allows, and n8n-core only loads on Node 24.',
			severity: 'error',
			from: { path: '^test/unit/' },
			to: { path: 'node_modules/n8n-core/', reachable: true },
		},
		{
			name: 'no-cycle',
			comment: 'Imports of types count.',
			severity: 'error',
			from: {},
			to: { circular: true },
		},
		{
			name: 'contract-types',
			comment: 'All of the contract layer builds on its basic types, so they import nothing of it.',
			severity: 'error',
			from: { path: '^nodes/shared/contract/types[.]ts$' },
			to: {
				pathNot: ['^nodes/shared/contract/operations[.]ts$', 'node_modules/n8n-workflow/'],
			},
		},
		{
			name: 'no-code-in-docs',
			severity: 'error',
			from: { path: '^docs/' },
			to: {},
		},
		{
			name: 'no-lone-code-in-docs',
			severity: 'error',
			from: { path: '^docs/', orphan: true },
			to: {},
		},
		{
			name: 'no-unresolved-import',
			severity: 'error',
			from: { pathNot: '[.]mjs$' },
			to: { couldNotResolve: true },
		},
	],
	options: {
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'test/tsconfig.json' },
		doNotFollow: { path: 'node_modules' },
		exclude: { path: '^(dist|[.]n8n-demo|coverage)/|eslint[.]config[.]mjs$' },
		enhancedResolveOptions: {
			exportsFields: ['exports'],
			conditionNames: ['import', 'require', 'node', 'default', 'types'],
		},
	},
};
