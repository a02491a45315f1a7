import { ReleaseError } from './releaseError.ts';

/** One section of the changelog: its version or "Unreleased", its date, and the text below its heading. */
interface Section {
	title: string;
	date: string;
	text: string;
}

/** A second-level heading of Keep a Changelog: `## [0.6.0] - 2026-11-30`, or `## [Unreleased]`. */
const heading = /^## \[([^\]\n]+)\](?: - ([^\n]*))?$/gm;

function sectionsOf(changelog: string): Section[] {
	const headings = [...changelog.matchAll(heading)];
	return headings.map((match, index) => {
		const [line, title = '', date = ''] = match;
		const text = changelog.slice(match.index + line.length, headings[index + 1]?.index).trim();
		return { title, date, text };
	});
}

/** Whether a text is a day that exists, such as 2026-11-30. */
function isDay(text: string): boolean {
	const day = new Date(`${text}T00:00:00Z`);
	return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(`${text}T`);
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
	if (!isDay(section.date)) {
		throw new ReleaseError(
			`The section ${version} of CHANGELOG.md has no date. Write "## [${version}] - YYYY-MM-DD".`,
		);
	}
	if (section.text === '')
		throw new ReleaseError(`The section ${version} of CHANGELOG.md is empty.`);
	const [newest] = sections.filter(({ title }) => title !== 'Unreleased');
	if (newest !== section) {
		throw new ReleaseError(
			`CHANGELOG.md lists ${newest?.title} above ${version}. Only the newest version can be released.`,
		);
	}
	if (sections.some(({ title, text }) => title === 'Unreleased' && text !== '')) {
		throw new ReleaseError(
			`CHANGELOG.md lists changes under Unreleased, which the release ${version} would contain without describing them.`,
		);
	}
	return section.text;
}
