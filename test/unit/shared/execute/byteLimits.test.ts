import { cutText, joinTexts, limitFieldErrors } from '../../../../nodes/shared/execute/byteLimits';

it.each<[text: string, most: number, cut: string]>([
	['abcdef', 6, 'abcdef'],
	['abcdefg', 6, 'abc…'],
	['two\nlines', 20, 'two lines'],
	['ääää', 8, 'ääää'],
	['ääää', 7, 'ää…'],
	['""""', 8, '""""'],
	['""""', 7, '""…'],
	['<<<<', 16, '<<<<'],
	['<<<<', 15, '<<<…'],
	['€€', 6, '€€'],
	['😀😀', 8, '😀😀'],
	['😀😀', 7, '😀…'],
	['\ud800\ud800', 12, '\ud800\ud800'],
	['\ud800\ud800', 11, '\ud800…'],
	['abc', 2, '…'],
])('cuts %j to %d bytes', (text, most, cut) => {
	expect(cutText(text, most)).toBe(cut);
});

it('joins texts up to a number of bytes', () => {
	const texts = ['aaaaaaaaaa', 'bbbbbbbbbb', 'cccccccccc'];
	expect(joinTexts(texts, ', ', 66)).toBe('aaaaaaaaaa, bbbbbbbbbb, cccccccccc');
	expect(joinTexts(texts, ', ', 60)).toBe('aaaaaaaaaa, bbbbbbbbbb, … and 1 more');
	expect(joinTexts(texts, ', ', 66, 5_003)).toBe(
		'aaaaaaaaaa, bbbbbbbbbb, cccccccccc, … and 5,000 more',
	);
	expect(joinTexts(texts, ', ', 36)).toBe('aaa…, … and 2 more');
	expect(joinTexts([], ', ', 60)).toBe('');
});

describe('field errors', () => {
	it('stay as they are if they are short', () => {
		const errors = { alias: ['Taken.', 'Bad.'], url: ['Bad.'] };
		expect(limitFieldErrors(errors)).toEqual(errors);
	});

	it('say how many messages are left out', () => {
		const many = { alias: Array.from({ length: 100 }, (_, index) => `Message ${index}`) };
		const { alias = [] } = limitFieldErrors(many, 100);
		expect(alias).toEqual(['Message 0', 'Message 1', 'Message 2', 'Message 3', '… and 96 more']);
	});

	it('are cut to 250 bytes each, and their keys to 80', () => {
		const [[key = '', [message = ''] = []] = []] = Object.entries(
			limitFieldErrors({ ['k'.repeat(100)]: ['m'.repeat(300)] }),
		);
		expect(key).toBe(`${'k'.repeat(77)}…`);
		expect(message).toBe(`${'m'.repeat(247)}…`);
	});
});
