import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/** Tests and demo are no n8n nodes: ordinary strict rules instead of those for published code. */
export default tseslint.config(js.configs.recommended, {
	files: ['**/*.ts'],
	extends: [tseslint.configs.strict, tseslint.configs.stylistic],
});
