// Dates the changelog's entry of a version, and sets the version that the queue mode example installs. npm runs it after it
// has changed package.json.
import { readFileSync, writeFileSync } from 'node:fs';

const version = process.env.npm_new_version;
if (!version) throw new Error('npm did not name the version.');

function edit(file: string, change: (text: string) => string): void {
	writeFileSync(file, change(readFileSync(file, 'utf8')));
}

const today = new Date().toISOString().slice(0, 10);
edit('CHANGELOG.md', (text) =>
	text.replace(/^## \[Unreleased\]$/m, `$&\n\n## [${version}] - ${today}`),
);
edit('examples/queue-mode/example.env', (text) =>
	text.replace(/^LINK_MANAGEMENT_VERSION=.*$/m, `LINK_MANAGEMENT_VERSION=${version}`),
);
