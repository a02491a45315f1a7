// Sets the version that the queue mode example installs. release-it runs it after it has changed package.json.
import { readFileSync, writeFileSync } from 'node:fs';

const file = 'examples/queue-mode/example.env';
const [version] = process.argv.slice(2);
if (!version) throw new Error('Name the version.');
const text = readFileSync(file, 'utf8');
writeFileSync(
	file,
	text.replace(/^LINK_MANAGEMENT_VERSION=.*$/m, `LINK_MANAGEMENT_VERSION=${version}`),
);
