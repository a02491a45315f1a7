// Compares the installed packages with the lock file. Plain JavaScript for Node 20, as setup.mjs.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const packagesIn = (file) => Object.entries(JSON.parse(readFileSync(file, 'utf8')).packages);

/**
 * Returns the packages that are missing or have another version than package-lock.json names, as `jest 29.7.0 → 30.5.2`;
 * undefined if npm has installed nothing. npm lists what it has installed in node_modules/.package-lock.json.
 */
export function outdatedPackages(root) {
	const installedFile = join(root, 'node_modules', '.package-lock.json');
	if (!existsSync(installedFile)) return undefined;
	const installed = new Map(packagesIn(installedFile));
	return packagesIn(join(root, 'package-lock.json'))
		.filter(([path, { optional, version }]) => {
			const found = installed.get(path);
			// Packages for other platforms are optional and stay away.
			const mayBeMissing = path === '' || optional === true;
			return found ? found.version !== version : !mayBeMissing;
		})
		.map(([path, { version }]) => {
			const name = path.replace(/^.*node_modules\//, '');
			return `${name} ${installed.get(path)?.version ?? '(missing)'} → ${version}`;
		});
}
