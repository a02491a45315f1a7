import { need, ReleaseError } from './release.ts';

/** One section of the changelog: its version or "Unreleased", its date, and the text below its heading. */
interface Section {
	title: string;
	date: string;
	text: string;
}

/** A second-level heading of Keep a Changelog: `## [0.6.0] - 2026-11-30`, or `## [Unreleased]`. */
const heading = /^## \[([^\]]+)\](?: - (.*\S))?$/;

/** Returns the sections of a changelog. A second-level heading in another form would hide entries, so it is refused. */
function sectionsOf(changelog: string): Section[] {
	const parts = changelog.replaceAll('\r\n', '\n').split(/^(?=## )/m);
	return parts
		.filter((part) => part.startsWith('## '))
		.map((part) => {
			const [line = '', ...rest] = part.split('\n');
			const match = heading.exec(line);
			if (!match) {
				throw new ReleaseError(
					`CHANGELOG.md has the heading "${line}". Write "## [Unreleased]" or "## [0.6.0] - YYYY-MM-DD".`,
				);
			}
			return { title: match[1] ?? '', date: match[2] ?? '', text: rest.join('\n').trim() };
		});
}

/**
 * Returns the changelog's text about a version, for the GitHub release.
 *
 * @param changelog the text of `CHANGELOG.md`, in the format of Keep a Changelog
 * @param version such as `0.6.0`
 * @throws {ReleaseError} if the version has no dated section with entries, if it is not the newest version, or if changes
 * are still listed under Unreleased
 */
export function releaseNotes(changelog: string, version: string): string {
	const sections = sectionsOf(changelog);
	const section = sections.find(({ title }) => title === version);
	if (!section) {
		throw new ReleaseError(
			`CHANGELOG.md has no section "## [${version}] - YYYY-MM-DD". "npm run release" makes it from Unreleased.`,
		);
	}
	const own = `The section ${version} of CHANGELOG.md has no`;
	need(section.date !== '', `${own} date. Write "## [${version}] - YYYY-MM-DD".`);
	need(/^- \S/m.test(section.text), `${own} entries.`);
	const newest = sections.find(({ title }) => title !== 'Unreleased');
	need(
		newest === section,
		`CHANGELOG.md lists ${newest?.title} above ${version}. Only the newest version can be released.`,
	);
	need(
		sections.every(({ title, text }) => title !== 'Unreleased' || text === ''),
		`CHANGELOG.md lists changes under Unreleased, which the release ${version} would contain without describing them.`,
	);
	return section.text;
}
