import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';

/** What is read of the compose file. */
type ComposeFile = Record<'x-n8n', { environment: Record<string, string> }>;

/** A variable that has a default, as a compose file writes it. */
const withDefault = /\$\{\w+:-([^}]*)\}/g;

/** The environment that the compose file of the examples gives to each process of n8n, defaults filled in. */
export async function composeEnvironment(projectRoot: string): Promise<Record<string, string>> {
	const file = join(projectRoot, 'examples', 'queue-mode', 'compose.yaml');
	const { environment } = (parse(await readFile(file, 'utf8')) as ComposeFile)['x-n8n'];
	return Object.fromEntries(
		Object.entries(environment).map(([name, value]) => [name, value.replace(withDefault, '$1')]),
	);
}
