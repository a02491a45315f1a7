import { webcrypto } from 'node:crypto';
import { Gunzip } from 'node:zlib';

type Transform = (chunk: unknown, encoding: string, done: (...results: unknown[]) => void) => void;

/** The prototype that all streams of `node:zlib` share. */
const zlibStream = Object.getPrototypeOf(Object.getPrototypeOf(Gunzip.prototype)) as {
	_transform: Transform;
};

/**
 * Counts digests and decompression in libuv's thread pool. Node lists neither among its active resources.
 */
export class ThreadPool {
	/** Jobs that have begun and not ended. */
	jobs = 0;

	private readonly transform = zlibStream._transform;

	constructor() {
		const { transform } = this;
		const { subtle } = webcrypto;
		const digest = Object.getPrototypeOf(subtle).digest as typeof subtle.digest;
		const begin = () => void (this.jobs += 1);
		const end = () => void (this.jobs -= 1);
		subtle.digest = async (...args) => {
			begin();
			return await digest.call(subtle, ...args).finally(end);
		};
		zlibStream._transform = function (this: unknown, chunk, encoding, done) {
			begin();
			transform.call(this, chunk, encoding, (...results) => {
				end();
				done(...results);
			});
		};
	}

	/** Stops counting. */
	release(): void {
		Reflect.deleteProperty(webcrypto.subtle, 'digest');
		zlibStream._transform = this.transform;
	}
}
