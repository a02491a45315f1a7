/** Returns JSON texts of a string that has a secret, each in another form. */
export function secretForms(secret: string): [form: string, json: string][] {
	const json = JSON.stringify(secret);
	const url = encodeURIComponent(secret);
	const inHtml = secret
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll('"', '&quot;');
	const units = Array.from({ length: secret.length }, (_, index) =>
		secret.charCodeAt(index).toString(16).padStart(4, '0'),
	);
	const characters = Array.from(secret, (one) => one.codePointAt(0) ?? 0);
	return [
		['as it is', json],
		['with its slashes escaped', json.replaceAll('/', '\\/')],
		['by the numbers of its characters', `"${units.map((unit) => `\\u${unit}`).join('')}"`],
		['by numbers in capitals', `"${units.map((unit) => `\\u${unit.toUpperCase()}`).join('')}"`],
		['encoded for a URL', JSON.stringify(url)],
		['encoded in lower case', JSON.stringify(url.toLowerCase())],
		['encoded as in a form', JSON.stringify(new URLSearchParams({ secret }).toString().slice(7))],
		['escaped for HTML', JSON.stringify(inHtml)],
		['by its numbers in HTML', `"${characters.map((number) => `&#${number};`).join('')}"`],
		[
			'by hexadecimal numbers in HTML',
			`"${characters.map((number) => `&#x${number.toString(16)};`).join('')}"`,
		],
		['in JSON within JSON', JSON.stringify(json).replace(/^"\\"|\\""$/g, '"')],
	];
}
