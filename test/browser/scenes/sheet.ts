import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { takePicture } from '../support/pictures.ts';
import { createLink, type Stage } from '../support/stage.ts';
import { node, workflowOf } from '../support/workflow.ts';

const shop = 'https://shop.example.com';

const countries = 'at be ch cz de dk es fi fr gb gr hu ie it nl no pl pt se sk'.split(' ');

/** Three slips as sheets have them: an address without its scheme, an alias that is taken, and a year that is over. */
const slips: Record<string, string> = {
	cz: 'spring-cz,shop.example.com/cz/spring,2031-05-31',
	fr: `spring-home,${shop}/fr/spring,2031-05-31`,
	pt: `spring-pt,${shop}/pt/spring,2013-05-31`,
};

/** The sheet of a person who sells in 20 countries. */
const sheet = [
	'alias,url,expiration',
	...countries.map((code) => slips[code] ?? `spring-${code},${shop}/${code}/spring,2031-05-31`),
].join('\n');

/** An Edit Fields node that keeps some columns. */
const keeping = (name: string, columns: string, position: [number, number]) => ({
	...node(name, 'n8n-nodes-base.set', {
		...{ includeOtherFields: true, include: 'selected', includeFields: columns, options: {} },
	}),
	...{ id: name, typeVersion: 3.4, position },
});

/** How far nodes stand apart: near, so that the picture shows them large. */
const gap = 190;

/** Reads a file, creates its links, and keeps apart what failed. */
function workflowFor(file: string) {
	const path = workflowOf('Spring', [
		node('Start', 'n8n-nodes-base.manualTrigger', {}),
		node('Read spring.csv', 'n8n-nodes-base.readWriteFile', { fileSelector: file }),
		node('Rows', 'n8n-nodes-base.extractFromFile', {}),
		{
			...node('Create links', 'n8n-nodes-link-management.link', {
				...{ operation: 'create', mappingColumnMode: 'autoMapInputData' },
				domainId: { __rl: true, mode: 'id', value: '1' },
			}),
			...{ onError: 'continueErrorOutput' },
		},
	]);
	const ends = [
		keeping('Short URLs', 'alias, shortUrl', [4 * gap, -76]),
		keeping('Rows to correct', 'alias, error', [4 * gap, 76]),
	];
	const main = ends.map(({ name }) => [{ node: name, type: 'main', index: 0 }]);
	return {
		...path,
		nodes: [
			...path.nodes.map((each, column) => ({ ...each, position: [column * gap, 0] })),
			...ends,
		],
		connections: { ...Object(path.connections), 'Create links': { main } },
	};
}

/** Making many links out of the rows of a file. */
export function fromSheet(stage: () => Stage): void {
	it('a person with 20 rows sees on the canvas how many links were created, and why the others were not', async () => {
		const { editor, rest, service, credential, files } = stage();
		createLink(service, 'spring-home', shop);
		const file = join(files, 'spring.csv');
		await writeFile(file, sheet);
		const { id } = await rest.addWorkflow(workflowFor(file), credential);
		await editor.page.setViewportSize({ width: 1000, height: 590 });
		await editor.openWorkflow(id);
		await editor.execute();
		const logs = await editor.openLogs(246);
		await logs.locator('tbody tr').nth(2).waitFor();
		expect(service.counts().links).toBe(18);
		expect(await editor.page.getByTestId('edge-label').allInnerTexts()).toEqual(
			expect.arrayContaining(['20 items', '17 items', '3 items']),
		);
		const failed = await logs.locator('tbody tr').allInnerTexts();
		expect(failed).toEqual([
			expect.stringMatching(/^spring-cz\s.*must start with https/),
			expect.stringMatching(/^spring-home\s.*The alias has already been taken/),
			expect.stringMatching(/^spring-pt\s.*is in the past/),
		]);
		await takePicture(editor.page, 'run');
		await editor.closeLogs();
	});
}
