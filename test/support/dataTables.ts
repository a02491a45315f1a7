import type { IDataObject } from 'n8n-workflow';
import type { Rest } from '../../testkit/n8n/rest.ts';

/** Returns the path of a Data Table of n8n's owner. Throws if there is none with this name. */
async function pathOf(rest: Rest, name: string): Promise<string> {
	const { id } = await rest.call<{ id: string }>('GET', '/projects/personal');
	const tables = `/projects/${id}/data-tables`;
	const filter = encodeURIComponent(JSON.stringify({ name }));
	const { data } = await rest.call<{ data: { id: string; name: string }[] }>(
		'GET',
		`${tables}?filter=${filter}`,
	);
	const table = data.find((one) => one.name === name);
	if (!table) throw new Error(`there is no Data Table ${name}`);
	return `${tables}/${table.id}`;
}

/** Returns up to 250 rows of a Data Table in the order of their IDs, without the columns that n8n adds. */
export async function readRows(rest: Rest, name: string): Promise<IDataObject[]> {
	const path = `${await pathOf(rest, name)}/rows?take=250&sortBy=id:asc`;
	const { data } = await rest.call<{ data: IDataObject[] }>('GET', path);
	return data.map(({ id: _id, createdAt: _created, updatedAt: _updated, ...row }) => row);
}

/** Adds rows to a Data Table. */
export async function insertRows(rest: Rest, name: string, rows: object[]): Promise<void> {
	await rest.call('POST', `${await pathOf(rest, name)}/insert`, { data: rows });
}
