import { Invalid, type Codec } from '../types';
import { quote } from '../values';

/** A host and port that were written without a scheme; URL parsing would take the host for the scheme. */
const hostWithPort = /^(localhost|[\w-]+(\.[\w-]+)+):\d{1,5}([/?#]|$)/i;

/**
 * An absolute address. Refused are what no service could redirect to: an address without a scheme, and one that holds
 * a line break (assumption: line break in a URL). Which schemes are welcome is the service's to judge.
 */
export const url: Codec = (value, property) => {
	const address = String(value);
	if (/[\r\n]/.test(address)) {
		return new Invalid([
			`${quote(address, property)} holds a line break; put one address on one line`,
		]);
	}
	if (hostWithPort.test(address) || !URL.canParse(address)) {
		const remedy =
			'is not an absolute URL; start it with its scheme, such as https://example.com/page';
		return new Invalid([`${quote(address, property)} ${remedy}`]);
	}
	return [['', address]];
};
