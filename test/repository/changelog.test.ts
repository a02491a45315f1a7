import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { releaseNotes } from '../../scripts/release/changelog.ts';
import { projectRoot } from '../support/process.ts';

const entries = '### Added\n\n- QR codes.';
const older = '## [0.5.0] - 2026-11-23\n\n### Fixed\n\n- A bug.';
const newest = `## [0.6.0] - 2026-11-30\n\n${entries}`;
const changelog = (released: string, unreleased = '') =>
	`# Changelog\n\n## [Unreleased]\n\n${unreleased}\n\n${released}\n\n${older}\n`;

it.each([
	['the newest version', changelog(newest), '0.6.0', entries],
	['the first version', `# Changelog\n\n${older}\n`, '0.5.0', '### Fixed\n\n- A bug.'],
	['a file of Windows', changelog(newest).replaceAll('\n', '\r\n'), '0.6.0', entries],
])('returns the text of %s', (_, text, version, expected) => {
	expect(releaseNotes(text, version)).toBe(expected);
});

it.each([
	['without an entry', '', 'has no section "## [0.6.0] - YYYY-MM-DD"'],
	['without a date', `## [0.6.0]\n\n${entries}`, '0.6.0 of CHANGELOG.md has no date'],
	['without text', '## [0.6.0] - 2026-11-30', '0.6.0 of CHANGELOG.md has no entries'],
	['with a group alone', '## [0.6.0] - 2026-11-30\n\n### Added', 'CHANGELOG.md has no entries'],
	['below another version', `## [0.7.0] - 2026-12-01\n\n- New.\n\n${newest}`, 'lists 0.7.0 above'],
	['above a wrong heading', `${newest}\n\n## [0.5.1] 2026-11-24\n\n- Old.`, 'has the heading'],
	['below a wrong heading', `## Unreleased\n\n${entries}\n\n${newest}`, 'heading "## Unreleased"'],
])('refuses a version %s', (_, released, message) => {
	expect(() => releaseNotes(changelog(released), '0.6.0')).toThrow(message);
});

it('refuses a version next to changes that are still unreleased', () => {
	const text = changelog(newest, entries);
	expect(() => releaseNotes(text, '0.6.0')).toThrow('lists changes under Unreleased');
});

it('finds each version of the changelog of this project', () => {
	const text = readFileSync(join(projectRoot, 'CHANGELOG.md'), 'utf8');
	const [first, ...released] = [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
	expect(first).toBe('[Unreleased]');
	for (const heading of released) expect(heading).toMatch(/^\[\d+\.\d+\.\d+\] - 20\d\d-\d\d-\d\d$/);
	const groups = [...text.matchAll(/^### (.*)$/gm)].map(([, group]) => group);
	expect(new Set(groups)).toEqual(new Set(['Added', 'Changed', 'Fixed', 'Removed']));
});
