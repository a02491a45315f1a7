/** A service, as one who has its key uses it without n8n. */
export interface Account {
	/** Without a slash at its end. */
	url: string;
	apiKey: string;
}

/** A link as the service describes it, as far as these tests look. */
export interface StoredLink {
	id: number;
	alias: string;
	url: string;
}

async function call<T>({ url, apiKey }: Account, path: string, form?: Record<string, string>) {
	const answer = await fetch(`${url}/api/v1/links${path}`, {
		method: form ? 'POST' : 'GET',
		headers: { accept: 'application/json', authorization: `Bearer ${apiKey}` },
		body: form && new URLSearchParams(form),
	});
	if (!answer.ok) throw new Error(`The service answered ${answer.status}: ${await answer.text()}`);
	return ((await answer.json()) as { data: T }).data;
}

/** Creates so many links, `link-0` and so on, and returns their IDs. */
export async function createLinks(
	account: Account,
	count: number,
	urlOf: (index: number) => string,
): Promise<number[]> {
	const ids: number[] = [];
	for (let index = 0; index < count; index += 1) {
		const form = { url: urlOf(index), domain_id: '1', alias: `link-${index}` };
		ids.push((await call<StoredLink>(account, '', form)).id);
	}
	return ids;
}

/** All links that the service holds, the oldest first. */
export async function storedLinks(account: Account): Promise<StoredLink[]> {
	const links: StoredLink[] = [];
	for (let page = 1; ; page += 1) {
		const linksOnPage = await call<StoredLink[]>(account, `?per_page=100&sort=asc&page=${page}`);
		links.push(...linksOnPage);
		if (linksOnPage.length < 100) return links;
	}
}
