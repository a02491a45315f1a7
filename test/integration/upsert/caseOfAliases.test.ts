import type { IDataObject } from 'n8n-workflow';
import { accountOf, writesIn } from '../../support/account.ts';
import { messageOf } from '../../support/columns.ts';
import { sheetOn } from '../../support/mappedSheet.ts';
import { useScriptedService } from '../../support/scriptedService.ts';

const { current, link } = useScriptedService();
const sheet = sheetOn(link);

/** A service that stores aliases in lower case, and refuses one that differs from another in nothing but case. */
const lowerCase = {
	stores: (fields: IDataObject): IDataObject => ({
		...fields,
		...(typeof fields.alias === 'string' ? { alias: fields.alias.toLowerCase() } : {}),
	}),
	isSameAlias: (one: string, other: string) => one.toLowerCase() === other.toLowerCase(),
};

it.each([1, 5])(
	'Create or Update does not overwrite the link of another row on a service that stores aliases in lower case, %i at once',
	async (concurrency) => {
		current().follow(accountOf([], lowerCase));
		const rows = [
			{ alias: 'Spring', url: 'https://example.com/1' },
			{ alias: 'spring', url: 'https://example.com/2' },
			{ alias: 'other', url: 'https://example.com/3' },
		];
		const result = await sheet('upsert', rows, { parameters: { options: { concurrency } } });
		expect(messageOf(result)).toMatch(
			/^Item 2 \(spring\): Another item of this run created spring \(ID 1\), and the service treats this item as the same link/,
		);
		const writes = writesIn(current().requests);
		expect(writes.filter(([method]) => method === 'PUT')).toEqual([]);
	},
);
