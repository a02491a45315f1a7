import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { releaseNotes } from '../../scripts/release/changelog.ts';
import { projectRoot } from '../support/process.ts';

const entries = '### Added\n\n- QR codes.';
const older = '## [0.5.0] - 2026-11-23\n\n### Fixed\n\n- A bug.';
const changelog = (unreleased: string, released: string) =>
	`# Changelog\n\n## [Unreleased]\n\n${unreleased}\n\n${released}\n\n${older}\n`;

it('returns the text of the newest version', () => {
	const text = changelog('', `## [0.6.0] - 2026-11-30\n\n${entries}`);
	expect(releaseNotes(text, '0.6.0')).toBe(entries);
});

it('returns the text of the first version', () => {
	expect(releaseNotes(`# Changelog\n\n${older}\n`, '0.5.0')).toBe('### Fixed\n\n- A bug.');
});

it('accepts the line ends of Windows', () => {
	const text = changelog('', `## [0.6.0] - 2026-11-30\n\n${entries}`).replaceAll('\n', '\r\n');
	expect(releaseNotes(text, '0.6.0')).toBe(entries);
});

it.each([
	['a version without an entry', changelog('', ''), 'has no section "## [0.6.0] - YYYY-MM-DD"'],
	[
		'a version without a date',
		changelog('', `## [0.6.0]\n\n${entries}`),
		'0.6.0 of CHANGELOG.md has no date',
	],
	[
		'a day that does not exist',
		changelog('', `## [0.6.0] - 2026-02-30\n\n${entries}`),
		'has no date',
	],
	[
		'an entry without text',
		changelog('', '## [0.6.0] - 2026-11-30'),
		'0.6.0 of CHANGELOG.md has no entries',
	],
	[
		'an entry that has only a group',
		changelog('', '## [0.6.0] - 2026-11-30\n\n### Added'),
		'0.6.0 of CHANGELOG.md has no entries',
	],
	[
		'two entries of the version',
		changelog('', `## [0.6.0] - 2026-11-30\n\n${entries}\n\n## [0.6.0] - 2026-11-29\n\n${entries}`),
		'has two sections 0.6.0',
	],
	[
		'a heading that hides unreleased changes',
		`## Unreleased\n\n${entries}\n\n## [0.6.0] - 2026-11-30\n\n${entries}\n`,
		'has the heading "## Unreleased"',
	],
	[
		'an older heading without a dash',
		`## [0.6.0] - 2026-11-30\n\n${entries}\n\n## [0.5.0] 2026-11-23\n\n- Old.\n`,
		'has the heading "## [0.5.0] 2026-11-23"',
	],
	[
		'changes that are still unreleased',
		changelog(entries, `## [0.6.0] - 2026-11-30\n\n${entries}`),
		'lists changes under Unreleased',
	],
	[
		'a version that is not the newest',
		changelog('', `## [0.7.0] - 2026-12-01\n\n- New.\n\n## [0.6.0] - 2026-11-30\n\n${entries}`),
		'lists 0.7.0 above 0.6.0',
	],
])('refuses %s', (_, text, message) => {
	expect(() => releaseNotes(text, '0.6.0')).toThrow(message);
});

it('finds each version of the changelog of this project', () => {
	const text = readFileSync(join(projectRoot, 'CHANGELOG.md'), 'utf8');
	const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, heading = '']) => heading);
	const [first, ...released] = headings;
	expect(first).toBe('[Unreleased]');
	for (const heading of released) expect(heading).toMatch(/^\[\d+\.\d+\.\d+\] - 20\d\d-\d\d-\d\d$/);
	const groups = [...text.matchAll(/^### (.*)$/gm)].map(([, group = '']) => group);
	expect(new Set(groups)).toEqual(new Set(['Added', 'Changed', 'Fixed']));
});
