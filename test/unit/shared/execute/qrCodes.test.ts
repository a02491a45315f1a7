import type { IBinaryData, IExecuteFunctions, INode } from 'n8n-workflow';
import { linkContract } from '../../../../nodes/Link/link.contract';
import { QrCodes } from '../../../../nodes/shared/execute/qrCodes';
import type { QrCodeSettings } from '../../../../nodes/shared/execute/qrCodeSettings';
import { readPng, readSvg, textIn } from '../../../support/pictures.ts';

const settings: QrCodeSettings = {
	...{ format: 'png', size: 300, errorCorrection: 'M', fileName: '', outputField: 'code' },
	...{ foreground: [0, 0, 0], background: [255, 255, 255] },
};

/** How a test draws, other than an option of a node does. */
interface Changes extends Partial<QrCodeSettings> {
	readonly type?: string;
	readonly isRequired?: boolean;
	/** The error of n8n's storage. */
	readonly refusal?: unknown;
}

function drawing({ type = 'link', isRequired = false, refusal, ...more }: Changes = {}) {
	const files: Buffer[] = [];
	const helpers = {
		prepareBinaryData: async (
			content: Buffer,
			fileName: string,
			mimeType: string,
		): Promise<IBinaryData> => {
			if (refusal !== undefined) throw refusal;
			files.push(content);
			await Promise.resolve();
			return { data: '', fileName, mimeType };
		},
	};
	const context = { helpers, getNode: () => ({ type }) as INode } as unknown as IExecuteFunctions;
	const settingsOf = (index: number) => (index === 9 ? undefined : { ...settings, ...more });
	const codes = new QrCodes({ context, contract: linkContract, isRequired, settingsOf });
	const attach = async (...addresses: unknown[]) =>
		await codes.attachmentsOf(0, {
			resources: addresses.map((address) => ({ short_url: address as string })),
			outcome: 'read',
		});
	return { codes, attach, files };
}

it('attaches the code of each resource', async () => {
	const { attach, files, codes } = drawing();
	expect(await attach('https://s.example/a', 'http://s.example/b/')).toEqual([
		{ binary: { code: { data: '', fileName: 'a.png', mimeType: 'image/png' } } },
		{ binary: { code: { data: '', fileName: 'b.png', mimeType: 'image/png' } } },
	]);
	expect(files.map((file) => textIn(readPng(file)))).toEqual([
		...['https://s.example/a', 'http://s.example/b/'],
	]);
	expect(codes.notes).toEqual([]);
});

it('attaches the codes of addresses, if these are all that is known', async () => {
	const { codes } = drawing({ format: 'svgText' });
	const [attachment] = await codes.attachmentsOf(0, {
		...{ resources: [{ shortUrl: 'x' }], addresses: ['https://s.example/a'], outcome: 'read' },
	});
	expect(textIn(readSvg(String(attachment?.json?.code)))).toBe('https://s.example/a');
});

it('attaches nothing to a row without settings', async () => {
	const { codes } = drawing();
	const resources = [{ short_url: 'https://s.example/a' }];
	expect(await codes.attachmentsOf(9, { resources, outcome: 'read' })).toEqual([]);
});

it.each([
	[{}, 'https://s.example/x/spring-sale?a=b/c#d', 'spring-sale.png'],
	[{}, 'https://s.example', 's.example.png'],
	[{ format: 'svg' }, 'https://s.example/a.SVG', 'a.SVG'],
	[{ fileName: 'Code.png' }, 'https://s.example/a', 'Code.png'],
	[{ fileName: 'Code.png', format: 'svg' }, 'https://s.example/a', 'Code.png.svg'],
	[{ fileName: '../../etc/a"b<c>:d|e?*\n' }, 'https://s.example/a', '-..-etc-a-b-c-d-e-.png'],
	[{ fileName: '..' }, 'https://s.example/a', 'qr-code.png'],
	[{ fileName: 'n'.repeat(300) }, 'https://s.example/a', `${'n'.repeat(199)}….png`],
] as const)('with %j, names the file of %s %s', async (more, address, fileName) => {
	const [attachment] = await drawing(more).attach(address);
	expect(attachment?.binary?.code?.fileName).toBe(fileName);
});

it('gives no file to an AI agent', async () => {
	const { attach, files } = drawing({ type: 'linkTool' });
	expect(await attach('https://s.example/a')).toEqual([{}]);
	expect(files).toEqual([]);
});

it('counts the resources without a code, and says why the first one has none', async () => {
	const { attach, codes } = drawing({ size: 29 });
	expect(await attach('https://s.example/a', null)).toEqual([{}, {}]);
	expect(codes.notes).toEqual([
		'2 links have no QR code. The first of them: Size 29 is too small for the QR code of this URL, which has 33 modules on each side. Set Size to at least 33; scanners need about 132',
	]);
	const other = drawing();
	await other.attach('javascript:alert(1)');
	expect(other.codes.notes).toEqual([
		'1 link has no QR code: Link has no address that starts with http:// or https://. Check it in the service',
	]);
});

it('fails the row, if the operation must return a code', async () => {
	const { attach, codes } = drawing({ size: 29, isRequired: true });
	await expect(attach('https://s.example/a')).rejects.toMatchObject({
		failure: {
			cause: 'rejected',
			message: expect.stringMatching(/^Size 29 is too small/),
			advice: 'Set Size to at least 33; scanners need about 132.',
		},
	});
	expect(codes.notes).toEqual([]);
});

it.each([new Error('disk full'), 'disk full'])(
	'reports a file that n8n cannot store, after %s',
	async (refusal) => {
		const { attach, codes } = drawing({ refusal });
		expect(await attach('https://s.example/a')).toEqual([{}]);
		expect(codes.notes).toEqual([
			'1 link has no QR code: n8n cannot store the file of the QR code (disk full). Check the storage for binary data of n8n',
		]);
	},
);
