// Loads packages with Node's own require, once per worker. Jest would load them again for each test file, which takes a second with n8n-core.
const { createRequire } = require('node:module');
const { compileFunction } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

/** Matches the name of a package, other than Jest's own. */
const packageName = /^(?!@jest[/]|node:)[@a-z]/;

module.exports = class extends Runtime {
	constructor(...options) {
		super(...options);
		const { executor } = this;
		executor.compile = (source, filename) =>
			compileFunction(source, executor.injectedModuleParameters, { filename });
	}

	requireModuleOrMock(from, name) {
		return packageName.test(name)
			? createRequire(from)(name)
			: super.requireModuleOrMock(from, name);
	}
};
