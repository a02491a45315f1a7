import type { IDataObject } from 'n8n-workflow';
import { linksOf, row } from '../../support/account.ts';
import { without } from '../../../nodes/shared/contract/values';
import { messageOf } from '../../support/columns.ts';
import { useScriptedSync } from '../../support/scriptedSync.ts';

const { begin, methods, sync, writes } = useScriptedSync();

const shortUrl = (alias: string) => `https://short.example/${alias}`;
const withShortUrls = (...aliases: string[]) =>
	linksOf(...aliases.map((alias) => row(alias, { short_url: shortUrl(alias) })));

describe('Match By in Sync that deletes', () => {
	it('removes no link whose alias is that of a row apart from case', async () => {
		begin(withShortUrls('A', 'b', 'c'));
		const items = [
			{ url: 'https://example.com/new', alias: 'a' },
			{ url: 'https://example.com/b', alias: 'b' },
		];
		const result = await sync(items, {}, { parameters: { matchBy: 'url' } });
		expect(result.error).toBeUndefined();
		expect(methods()).toEqual(['POST ', 'DELETE 3']);
	});

	it.each([
		[
			'another form',
			(form: IDataObject) => ({ ...form, url: String(form.url).replace(/\/$/, '') }),
		],
		['no form', (form: IDataObject): IDataObject => without(form, 'url')],
	] as const)(
		'removes nothing after a new link whose destination the service shows in %s',
		async (_, stores) => {
			begin(withShortUrls('old'), { stores });
			const items = [{ url: 'https://example.com/new/', alias: 'new' }];
			const result = await sync(items, {}, { parameters: { matchBy: 'url' } });
			expect(messageOf(result)).toMatch(
				/^Item 1 \(new\): The service created the link, but its Destination URL differs from the value that was sent, so another run would not find it/,
			);
			expect(messageOf(result)).not.toContain('Domain');
			expect(writes().map(([method]) => method)).toEqual(['POST']);
		},
	);
});
