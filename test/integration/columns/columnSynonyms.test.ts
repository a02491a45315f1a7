import { descriptionOf, hintsOf, messageOf, useColumns, writes } from '../../support/columns.ts';

const { current, mapped, mappedPixels, arrived, lastForm, madeLink } = useColumns();

const url = 'https://example.com/';

describe('synonyms of a heading', () => {
	it.each([
		['Slug', 'spring', 'alias', 'spring'],
		['Back-half', 'spring', 'alias', 'spring'],
		['short_code', 'spring', 'alias', 'spring'],
		[' Custom\u00A0Alias ', 'spring', 'alias', 'spring'],
		['\uFEFFLong URL', `${url}a`, 'url', `${url}a`],
		['originalUrl', `${url}a`, 'url', `${url}a`],
		['DESTINATION', `${url}a`, 'url', `${url}a`],
		['Expires', '2090-01-02', 'expiration_date', '2090-01-02'],
		['Expiry:', '2090-01-02', 'expiration_date', '2090-01-02'],
		['valid_until', '2090-01-02', 'expiration_date', '2090-01-02'],
	])('%j maps', async (heading, cell, name, sent) => {
		const form = name === 'url' ? {} : { url };
		const result = await mapped('create', [{ [heading]: cell }], form);
		expect(result.error).toBeUndefined();
		expect(lastForm()[name]).toBe(sent);
	});

	it.each(writes)('map in %s, and the hint says to which field', async (operation) => {
		const id = await madeLink();
		const slug = operation === 'create' ? 'new' : 'made';
		const result = await mapped(operation, [{ id, Slug: slug, destination: `${url}new` }]);
		expect(result.error).toBeUndefined();
		expect(lastForm().url).toBe(`${url}new`);
		expect(arrived()[0]).toMatch(operation === 'create' ? 'POST /links ' : `PUT /links/${id} `);
		expect(hintsOf(result).at(-1)).toBe(
			'Mapped columns: Slug (Alias), destination (Destination URL). Ignored columns: id.',
		);
	});

	it('give way to the name of the field, wherever it is', async () => {
		const rows = [
			{ slug: 'no', url, expires: 'no' },
			{ alias: 'yes', url },
		];
		const dates = { expiration_date: '2090-01-02', expiration_time: '10:00' };
		const result = await mapped('create', [
			{ ...rows[0], ...dates },
			{ ...rows[1], ...dates },
		]);
		expect(result.error).toBeUndefined();
		expect(arrived().join()).not.toContain('no');
		expect(arrived().join()).toContain('alias=yes');
		expect(hintsOf(result).at(-1)).toContain(
			'Ignored columns: slug (another column fills Alias), expires (another column fills Expiration).',
		);
	});

	it('refuse the run if two of them are there and no exact name', async () => {
		const result = await mapped('create', [{ url, slug: 'a', 'Short code': 'b' }]);
		expect(messageOf(result)).toBe(
			'The columns "slug" and "Short code" both fill Alias; keep one of them, or add the other to Inputs to Ignore',
		);
		expect(current().requests).toEqual([]);
		const ignored = await mapped('create', [{ url, slug: 'a', 'Short code': 'b' }], {
			inputsToIgnore: 'short code',
		});
		expect(ignored.error).toBeUndefined();
		expect(lastForm().alias).toBe('a');
	});

	it.each([
		['slug', '={{ "x-" + $json.slug }}'],
		['Custom alias', '={{ $json["Custom alias"] }}'],
		['back-half', "=see {{ $json['back-half'] }}"],
		['Slug', "={{ $json.url ? 'x' : $('Sheet').item.json.Slug }}"],
	])('do not map if an expression uses %s', async (heading, expression) => {
		const form = { additionalFields: { password: expression } };
		const result = await mapped('create', [{ url, [heading]: 'used' }], form);
		expect(result.error).toBeUndefined();
		expect(hintsOf(result).at(-1)).toBe(
			`Mapped columns: url. Ignored columns: ${heading} (an expression uses it).`,
		);
		expect(arrived().join()).not.toContain('alias=');
	});

	it('map although an expression has their letters in a longer word, or in its text', async () => {
		const form = { password: '=slug {{ $json.slugs ?? "sluggish" }} slug' };
		const result = await mapped('create', [{ url, slug: 'mine' }], { additionalFields: form });
		expect(result.error).toBeUndefined();
		expect(lastForm().alias).toBe('mine');
	});
});

describe('headings that could mean several things', () => {
	it('map to nothing, and the hint names the fields that they could fill', async () => {
		const row = {
			...{ source: 'a', Medium: 'a', campaign: 'a', Term: 'a', content: 'a', keyword: 'a' },
			...{ link: `${url}no`, target: `${url}no`, url },
		};
		const result = await mapped('create', [row]);
		expect(result.error).toBeUndefined();
		expect(lastForm()).toEqual({ url, domain_id: '1' });
		expect(hintsOf(result).at(-1)).toBe(
			'Mapped columns: url. Ignored columns: source (perhaps UTM Source), Medium (perhaps UTM Medium), ' +
				'campaign (perhaps UTM Campaign), Term (perhaps UTM Term), content (perhaps UTM Content), ' +
				'keyword (perhaps Alias or UTM Term), link (perhaps Destination URL), target (perhaps Destination URL).',
		);
	});

	it('are only left out if an expression uses them', async () => {
		const form = { alias: '={{ $json.keyword }}' };
		const result = await mapped('create', [{ url, keyword: 'a', link: '' }], form);
		expect(hintsOf(result).at(-1)).toBe(
			'Mapped columns: url. Ignored columns: keyword, link (perhaps Destination URL).',
		);
	});
});

describe('a column of passwords', () => {
	const fails = { unknownColumns: 'fail' };

	it.each([{}, fails, { unknownColumns: 'ignore' }])(
		'with text is refused, %j',
		async (options) => {
			const rows = [
				{ url, Password: '' },
				{ url, Password: 's3cret', privacy_password: 7 },
			];
			const result = await mapped('create', rows, { options });
			expect(messageOf(result)).toBe(
				'The columns Password, privacy_password contain passwords and are not mapped; add Map Passwords under Options, or add them to Inputs to Ignore',
			);
			expect(descriptionOf(result)).toBe('Nothing was sent.');
			expect(JSON.stringify(result.task)).not.toMatch(/"message":"[^"]*s3cret/);
			expect(current().requests).toEqual([]);
			const inputsToIgnore = 'password, Privacy Password';
			const ignored = await mapped('create', rows, { options, inputsToIgnore });
			expect(ignored.error).toBeUndefined();
			const taken = await mapped('create', rows, { options: { ...options, mapPasswords: true } });
			expect(taken.error).toBeUndefined();
			expect(lastForm().password).toBe('s3cret');
		},
	);

	it('with flags or nothing is left out', async () => {
		const cells = [true, false, 'TRUE', ' false ', 'False', '', '  ', null, undefined];
		const rows = cells.map((password) => ({ url, password }));
		const result = await mapped('create', rows);
		expect(result.error).toBeUndefined();
		expect(arrived().join()).not.toContain('password');
		expect(hintsOf(result).at(-1)).toMatch(/Ignored columns: password \(only with Map Passwords\)/);
	});

	it('that an expression uses is no reason to refuse, nor is one for the field', async () => {
		const used = { additionalFields: { privacyPassword: '={{ $json["password"] }}', privacy: 2 } };
		expect((await mapped('create', [{ url, password: 'a' }], used)).error).toBeUndefined();
		expect(lastForm()).toMatchObject({ privacy_password: 'a' });
		expect(lastForm().password).toBeUndefined();
		const own = { additionalFields: { password: '={{ "made" }}' } };
		expect((await mapped('create', [{ url, Password: 'a' }], own)).error).toBeUndefined();
		expect(lastForm().password).toBe('made');
		const fixed = { additionalFields: { password: 'fixed' } };
		const refused = await mapped('create', [{ url, Password: 'a' }], fixed);
		expect(messageOf(refused)).toMatch(
			/^The column Password contains passwords and is not mapped; /,
		);
	});

	it('is none for pixels', async () => {
		const row = { name: 'a', type: 'bing', value: 'b', password: 'c' };
		expect((await mappedPixels('create', [row])).error).toBeUndefined();
	});
});

describe('Inputs to Ignore', () => {
	it.each(['Notes, Owner', 'Notes;owner', 'notes\nOWNER', 'notes\r\n\r\nowner;', '"notes"; Owner'])(
		'may be written as %j',
		async (inputsToIgnore) => {
			const row = { url, Notes: 1, owner: 2 };
			const result = await mapped('create', [row], {
				inputsToIgnore,
				options: { unknownColumns: 'fail' },
			});
			expect(result.error).toBeUndefined();
			expect(hintsOf(result).at(-1)).toBe('Mapped columns: url. Ignored columns: Notes, owner.');
		},
	);

	it('finds a heading with a comma, a semicolon or a line break in it as a whole', async () => {
		const headings = ['Cost, net', 'Cost, net; EUR', 'Two\nlines', ' alias, url '];
		const row = Object.fromEntries(headings.map((heading) => [heading, 'x']));
		const result = await mapped('create', [{ url, ...row, cost: 1, alias: 'kept' }], {
			inputsToIgnore: 'Cost, net; EUR;Cost, net,Two\nlines, alias, url ,cost',
			options: { unknownColumns: 'fail' },
		});
		expect(result.error).toBeUndefined();
		expect(lastForm()).toMatchObject({ url, alias: 'kept' });
		expect(hintsOf(result).at(-1)).not.toContain('in no item');
	});

	it('splits what is no heading, and takes the entries of a list to the letter', async () => {
		const options = { unknownColumns: 'fail' };
		const split = await mapped('create', [{ url, cost: 1, net: 2 }], {
			inputsToIgnore: 'Cost, net',
			options,
		});
		expect(split.error).toBeUndefined();
		const listed = await mapped('create', [{ url, 'a, b': 1 }], {
			inputsToIgnore: '={{ ["a, b"] }}',
			options,
		});
		expect(listed.error).toBeUndefined();
	});

	it('names in the hint what no item has', async () => {
		const result = await mapped('create', [{ url, notes: 1 }], {
			inputsToIgnore: 'Notes, Ownr; URLs , #',
		});
		expect(hintsOf(result).at(-1)).toBe(
			'Mapped columns: url. Ignored columns: notes. In Inputs to Ignore, but in no item: Ownr, URLs, "#".',
		);
	});
});

describe('row_number', () => {
	const options = { unknownColumns: 'fail' };

	it.each([[[2, 3, 7]], [['2', '10', '11']], [[18]]])('is never unknown: %j', async (numbers) => {
		const rows = numbers.map((row_number) => ({ row_number, url }));
		const result = await mapped('create', rows, { options });
		expect(result.error).toBeUndefined();
		expect(hintsOf(result).at(-1)).toBe('Mapped columns: url.');
	});

	it('is a column like others if its numbers do not increase', async () => {
		for (const [one, other] of [
			[3, 2],
			[2, 2],
			['a', 'b'],
		]) {
			const rows = [one, other].map((row_number) => ({ row_number, url }));
			const result = await mapped('create', rows, { options });
			expect(messageOf(result)).toMatch(/^The column row_number matches no field; /);
		}
	});
});
