import type { IExecuteFunctions } from 'n8n-workflow';
import { textOf } from '../contract/codecs/scalar';
import type { ResourceOption } from '../contract/resourceTypes';
import { reasonText, shorten } from '../contract/values';
import { Invalid } from '../contract/types';
import { optionsName } from '../description/nodeOptions';
import type { QrCode } from '../operations/types';
import { rejection } from '../transport/failures';
import { isTool } from './nodeErrors';
import type { Attachment } from './outcome';
import { yieldBetweenBatches } from './readRows';

/** Max length of a reason, in characters. */
const maxReason = 200;

/** Returns the name of the field for the QR code of a row. */
function fieldOf(context: IExecuteFunctions, property: ResourceOption, index: number): string {
	const value = context.getNodeParameter(`${optionsName}.${property.name}`, index, '');
	const name = textOf(property.codec, value, property);
	if (!(name instanceof Invalid)) return name;
	throw rejection(
		`${property.displayName} ${name.reasons.map(reasonText).join('. ')}`,
		'Enter a name.',
	);
}

/**
 * Returns what the output item of a row has for its QR code: its text, or its file as n8n stores it. A tool gets no file,
 * because a model cannot read it.
 *
 * @param property the option that names the field
 * @throws ServiceError if n8n cannot store the file
 */
export async function attachmentOf(
	context: IExecuteFunctions,
	property: ResourceOption,
	index: number,
	qrCode: QrCode,
): Promise<Attachment> {
	// Many addresses that need no request would block n8n.
	await yieldBetweenBatches(index);
	const field = fieldOf(context, property, index);
	if (typeof qrCode === 'string') return { json: { [field]: qrCode } };
	if (isTool(context.getNode())) return {};
	const { content, name, type } = qrCode;
	try {
		const file = await context.helpers.prepareBinaryData(Buffer.from(content), name, type);
		return { binary: { [field]: file } };
	} catch (error) {
		const reason = shorten(error instanceof Error ? error.message : String(error), maxReason);
		const message = `n8n cannot store the file of the QR code (${reason})`;
		throw rejection(message, 'Check the storage for binary data of n8n.');
	}
}
