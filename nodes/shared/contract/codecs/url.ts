import { Invalid, type Codec } from '../types';
import { quote } from '../values';

/** A host and port that were written without a scheme; URL parsing would take the host for the scheme. */
const hostWithPort = /^((localhost|[\w-]+(\.[\w-]+)+):\d{1,5}([/?#]|$)|[\w-]+:\d{1,5}\/)/i;

/**
 * An absolute address. Refused are what no service could redirect to: an address without a scheme, and one that holds
 * a line break (assumption: line break in a URL). Which schemes are welcome is the service's to judge.
 */
export const url: Codec = (value, property) => {
	const refuse = (reason: string) => new Invalid([`${quote(value, property)} ${reason}`]);
	const address = typeof value === 'string' ? value.trim() : '';
	if (/[\r\n]/.test(address)) return refuse('holds a line break; put one address on one line');
	return hostWithPort.test(address) || !URL.canParse(address)
		? refuse('is not an absolute URL; start it with its scheme, such as https://example.com/page')
		: [['', address]];
};
