import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/** Tests and demo are no n8n nodes: ordinary strict rules instead of those for published code. */
export default tseslint.config(
	js.configs.recommended,
	{
		files: ['**/*.ts'],
		extends: [tseslint.configs.strict, tseslint.configs.stylistic],
		rules: {
			// Taking a key out of an object is what a rest sibling is for.
			'@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
		},
	},
	{
		files: ['**/*.{cjs,js,mjs}'],
		languageOptions: {
			globals: {
				__dirname: 'readonly',
				clearInterval: 'readonly',
				console: 'readonly',
				module: 'writable',
				process: 'readonly',
				require: 'readonly',
				setInterval: 'readonly',
			},
		},
	},
);
