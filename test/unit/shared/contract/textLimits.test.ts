import {
	normalize,
	parseAddress,
	plainName,
	trimTime,
	withoutEndSlashes,
} from '../../../../nodes/shared/contract/text';

it('normalizes texts of up to 3,000 characters', () => {
	expect(normalize('e\u0301', 'NFC')).toBe('é');
	expect(normalize('ﬁ', 'NFKC')).toBe('fi');
	const long = 'e\u0301'.repeat(1500);
	expect(normalize(long, 'NFC')).toHaveLength(1500);
	expect(normalize(`${long}a`, 'NFC')).toHaveLength(3001);
});

it.each<[text: string, without: string]>([
	['a//', 'a'],
	['/a', '/a'],
	['///', ''],
	['', ''],
])('removes trailing slashes from %j', (text, without) => {
	expect(withoutEndSlashes(text)).toBe(without);
});

it.each<[written: string, time: string]>([
	[' 12:30\u202fPM ', '12:30 PM'],
	['12:30', '12:30'],
	[` ${'1'.repeat(64)} `, '1'.repeat(64)],
	['1'.repeat(65), ''],
])('normalizes the time %j', (written, time) => {
	expect(trimTime(written)).toBe(time);
});

const long = 'a'.repeat(2000);

it.each<[what: string, text: string, isAddress: boolean]>([
	['a short address', 'https://example.com/', true],
	['a text', 'example', false],
	['a long path', `https://example.com/${long}`, true],
	['a long query', `https://example.com?${long}`, true],
	['a long host', `https://${long}/`, false],
	['a long address of an app', `mailto:${long}`, true],
	['a long web address without slashes', `https:${long}`, false],
	['a long text', long, false],
	['a text that is too long', `https://example.com/${'a'.repeat(1_000_000)}`, false],
])('parses %s', (_what, text, isAddress) => {
	expect(parseAddress(text) !== undefined).toBe(isAddress);
});

it.each([
	['Größe', 'große'],
	['Terms & Conditions', 'termsconditions'],
	['Terms and Conditions', 'termsconditions'],
	['band', 'band'],
	['e-mail_2', 'email2'],
	['ﬁ', 'fi'],
])('normalizes the name %s to %s', (name, plain) => {
	expect(plainName(name)).toBe(plain);
});
