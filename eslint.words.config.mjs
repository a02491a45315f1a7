import cspell from '@cspell/eslint-plugin';
import tseslint from 'typescript-eslint';

/** Words that say nothing about a value. docs/architecture.md has the terms to use. */
const retired = [
	...[
		'told',
		'held',
		'given',
		'kept',
		'wanted',
		'known',
		'found',
		'left',
		'made',
		'taken',
		'asked',
	],
	...['thing', 'things', 'one', 'ones', 'those', 'remark', 'half', 'spare', 'begun'],
	...['lane', 'gate', 'lap', 'heat', 'desk', 'stage', 'watches', 'flight', 'ticket', 'parked'],
	...['makeSo', 'wayOn', 'standOf', 'wordFor', 'thingOf', 'knownList', 'wholeSheet', 'onWrites'],
];

/** Checks words only. n8n's own configuration, eslint.config.mjs, checks everything else. */
export default [
	{ ignores: ['dist/**', 'coverage/**', '.n8n-demo/**', '**/*.d.ts'] },
	{
		files: ['**/*.ts'],
		languageOptions: { parser: tseslint.parser },
		linterOptions: { reportUnusedDisableDirectives: false },
		plugins: { '@cspell': cspell },
		rules: {
			'id-denylist': ['error', ...retired],
			'@cspell/spellchecker': ['error', { configFile: 'cspell.json', generateSuggestions: false }],
		},
	},
	{
		// Test data contains misspelled words on purpose.
		files: ['{test,testkit,bench,demo,scripts}/**/*.ts'],
		plugins: { '@cspell': cspell },
		rules: {
			'@cspell/spellchecker': [
				'error',
				{
					...{ configFile: 'cspell.json', generateSuggestions: false },
					...{ checkStrings: false, checkStringTemplates: false },
				},
			],
		},
	},
];
