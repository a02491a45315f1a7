import { callOf, ServiceCore } from '../../testkit/service/core.ts';
import { insert } from '../../testkit/service/database.ts';
import type { Columns } from '../../testkit/service/linkFields.ts';
import type { Answers } from './operationRun.ts';

const headers = {
	authorization: 'Bearer demo-key-0123456789',
	'content-type': 'application/x-www-form-urlencoded',
};

/** Returns a reference service with some links and a default domain, and a function that answers with it. */
export function linkAccount(links: readonly Columns[] = []) {
	const core = new ServiceCore();
	const add = (link: Columns) => insert(core.database, 'links', { domain_id: 1, ...link });
	links.forEach(add);
	const answers: Answers = ({ method, path, params }) => {
		const body = new URLSearchParams({
			...(method === 'POST' ? { domain_id: '1' } : {}),
			...params,
		});
		const url = `/api/v1${path}?${method === 'GET' ? String(body) : ''}`;
		const { status, payload } = core.respond(callOf({ method, url, headers, body: String(body) }));
		return { status, body: payload };
	};
	return { core, add, answers };
}
