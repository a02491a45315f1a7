import type { IExecuteFunctions } from 'n8n-workflow';
import { webAddressOf } from '../contract/readers';
import type { ResourceContract } from '../contract/resourceTypes';
import { isTextual, shorten } from '../contract/values';
import type { Result } from '../operations/types';
import { pictureOf, PictureProblem, type Picture } from '../qrCode/picture';
import { rejection } from '../transport/serviceError';
import { isTool } from './nodeErrors';
import type { Attachment } from './outcome';
import type { QrCodeSettings } from './qrCodeSettings';
import { yieldBetweenBatches } from './readRows';

/** Max length of a file name and of a reason, in characters. */
const maxLength = 200;

/** Returns a text as a file name: without folders, and without characters that some systems refuse. */
const safeName = (text: string): string =>
	shorten(text.replace(/[\p{Cc}\p{Cf}\p{Cs}"*/:<>?\\|]+/gu, '-'), maxLength).replace(/^\.+/, '');

/** Returns the name of the file of a QR code, with its extension. */
function fileNameOf({ fileName, format }: QrCodeSettings, address: string): string {
	const [path = ''] = address.split(/[?#]/, 1);
	const last = path.split('/').filter(Boolean).at(-1) ?? '';
	const name = safeName(fileName || last) || 'qr-code';
	return name.toLowerCase().endsWith(`.${format}`) ? name : `${name}.${format}`;
}

/** How a run draws QR codes. */
interface Drawing {
	readonly context: IExecuteFunctions;
	readonly contract: ResourceContract;
	/** Whether a row without a QR code fails. Otherwise, its resources stay without one. */
	readonly isRequired: boolean;
	/** Returns the settings of a row; undefined if it gets no QR code. */
	readonly settingsOf: (index: number) => QrCodeSettings | undefined;
}

/** Draws the QR codes of the resources of a run. */
export class QrCodes {
	private readonly drawing: Drawing;

	private drawn = 0;

	/** Number of resources that stay without a QR code, and why the first of them does. */
	private missing = 0;
	private firstReason = '';

	constructor(drawing: Drawing) {
		this.drawing = drawing;
	}

	/** Sentences for the summary about resources that stay without a QR code. */
	get notes(): string[] {
		const { missing, firstReason } = this;
		const { value } = this.drawing.contract;
		if (missing === 0) return [];
		return missing === 1
			? [`1 ${value} has no QR code: ${firstReason}`]
			: [`${missing} ${value}s have no QR code. The first of them: ${firstReason}`];
	}

	private pictureFor(address: unknown, settings: QrCodeSettings): Picture | PictureProblem {
		const { name } = this.drawing.contract;
		const text = isTextual(address) ? webAddressOf(address) : null;
		if (text !== null) return pictureOf(text, settings);
		const message = `${name} has no address that starts with http:// or https://`;
		return new PictureProblem(message, 'Check it in the service.');
	}

	/** Returns a file of a QR code as n8n stores it. */
	private async fileOf(
		picture: Picture,
		settings: QrCodeSettings,
		address: string,
	): Promise<Attachment | PictureProblem> {
		const { helpers } = this.drawing.context;
		const [content, type] =
			settings.format === 'png' ? [picture.png(), 'image/png'] : [picture.svg(), 'image/svg+xml'];
		const name = fileNameOf(settings, address);
		try {
			const file = await helpers.prepareBinaryData(Buffer.from(content), name, type);
			return { binary: { [settings.outputField]: file } };
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			const message = `n8n cannot store the file of the QR code (${shorten(reason, maxLength)})`;
			return new PictureProblem(message, 'Check the storage for binary data of n8n.');
		}
	}

	private async draw(
		address: unknown,
		settings: QrCodeSettings,
	): Promise<Attachment | PictureProblem> {
		const picture = this.pictureFor(address, settings);
		if (picture instanceof PictureProblem) return picture;
		if (settings.format === 'svgText') return { json: { [settings.outputField]: picture.svg() } };
		// A model cannot read a file.
		if (isTool(this.drawing.context.getNode())) return {};
		return await this.fileOf(picture, settings, String(address));
	}

	private async attach(address: unknown, settings: QrCodeSettings): Promise<Attachment> {
		const attachment = await this.draw(address, settings);
		if (!(attachment instanceof PictureProblem)) return attachment;
		const { message, advice } = attachment;
		if (this.drawing.isRequired) throw rejection(message, advice);
		this.missing += 1;
		this.firstReason ||= `${message}. ${advice.replace(/\.$/, '')}`;
		return {};
	}

	/**
	 * Returns the QR code of each resource of a row; an empty list if the row gets none.
	 *
	 * @throws ServiceError if the operation must return a QR code, and there is none
	 */
	async attachmentsOf(index: number, { resources, addresses }: Result): Promise<Attachment[]> {
		const { contract, settingsOf } = this.drawing;
		const settings = settingsOf(index);
		if (!settings) return [];
		const { address = '' } = contract.key;
		const attachments: Attachment[] = [];
		for (const each of addresses ?? resources.map((resource) => resource[address])) {
			await yieldBetweenBatches(this.drawn);
			this.drawn += 1;
			attachments.push(await this.attach(each, settings));
		}
		return attachments;
	}
}
