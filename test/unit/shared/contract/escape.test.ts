import { escapeHtml, forEditor, oneLine } from '../../../../nodes/shared/contract/text';

it.each([
	['a\r\nb', 'a b'],
	['a\u2028\u202eb', 'a b'],
	['a\u0007b\tc', 'a b c'],
	['a  b', 'a  b'],
])('shows %j on one line', (text, line) => {
	expect(oneLine(text)).toBe(line);
});

it('escapes the characters that HTML and n8n interpret', () => {
	expect(escapeHtml('<b>&"`\'')).toBe('&lt;b&gt;&amp;"&#96;\'');
});

it('prepares an error for the editor', () => {
	expect(forEditor({ message: '<b>\nx', description: '<i>' })).toEqual({
		message: '‹b› x',
		description: '&lt;i&gt;',
	});
	expect(forEditor({ message: '<b>', description: null }, true)).toEqual({
		message: '<b>',
		description: null,
	});
});
