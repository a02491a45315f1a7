// Runs test files in Node's own realm, so that they can share the packages that the worker has loaded (runtime.cjs).
const { readFileSync, writeFileSync, existsSync } = require('node:fs');
const { LegacyFakeTimers, ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

// A worker that ends itself skips the release of its memory, which takes longer than Jest waits for its end.
if (process.send) process.once('beforeExit', () => process.exit());

/** What Jest reads from the globals, because a test may replace the originals. */
const originals = {
	promise: Promise,
	now: Date.now.bind(Date),
	'read-file': readFileSync,
	'write-file': writeFileSync,
	'exists-file': existsSync,
};

/** Removes the properties that were added, and puts back those that were changed or removed. */
const restore = (object, before) => {
	for (const key of Reflect.ownKeys(object)) {
		if (!Object.hasOwn(before, key)) Reflect.deleteProperty(object, key);
	}
	for (const key of Reflect.ownKeys(before)) {
		Reflect.defineProperty(object, key, Reflect.getOwnPropertyDescriptor(before, key));
	}
};

/** Jest's environment for Node without a context of its own. Each file begins with the worker's globals and variables. */
module.exports = class {
	constructor({ projectConfig: config }) {
		this.globals = Object.defineProperties({}, Object.getOwnPropertyDescriptors(globalThis));
		this.exit = process.exit;
		this.global = globalThis;
		for (const [name, value] of Object.entries(originals)) {
			globalThis[Symbol.for(`jest-native-${name}`)] = value;
		}
		this.moduleMocker = new ModuleMocker(globalThis);
		const timers = { config, global: globalThis, moduleMocker: this.moduleMocker };
		const timerConfig = { idToRef: (id) => id, refToId: (timer) => timer };
		this.fakeTimers = new LegacyFakeTimers({ ...timers, timerConfig });
		this.fakeTimersModern = new ModernFakeTimers(timers);
	}

	async setup() {
		this.variables = { ...process.env };
	}

	async teardown() {
		this.fakeTimers.dispose();
		this.fakeTimersModern.dispose();
		process.exit = this.exit;
		restore(process.env, this.variables);
		restore(globalThis, this.globals);
	}

	exportConditions() {
		return ['node', 'node-addons'];
	}

	/** Returns a value, because Jest takes none as a sign that the environment is gone. */
	getVmContext() {
		return globalThis;
	}
};
