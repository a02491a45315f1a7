import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { bounded, choice, line, textOf } from '../contract/codecs/scalar';
import { isEncoded, type Problem } from '../contract/encodedRow';
import { operationTable, returnsResources } from '../contract/operations';
import type { ResourceContract } from '../contract/resourceTypes';
import { Invalid, type OperationName } from '../contract/types';
import { isRecord, isUnset, quote } from '../contract/values';
import { qrCodeFields, qrCodeGroup, qrCodeOption } from '../description/qrCodeOption';
import { optionsCollection } from '../description/nodeOptions';
import { colorOf, contrastOf, luminanceOf, minContrast, type Color } from '../qrCode/colors';
import type { ErrorCorrection } from '../qrCode/encoder';
import type { PictureSettings } from '../qrCode/picture';
import { hasExpression } from './formExpressions';
import { settingsError } from './nodeErrors';
import { readParameter, type Row } from './readRows';

/** The settings of the QR codes of a row. */
export interface QrCodeSettings extends PictureSettings {
	readonly format: 'png' | 'svg' | 'svgText';
	/** Empty for the default. */
	readonly fileName: string;
	/** Name of the binary field, or of the JSON field for SVG Text. */
	readonly outputField: string;
}

type Read = QrCodeSettings | readonly Problem[];

const levels: readonly ErrorCorrection[] = ['L', 'M', 'Q', 'H'];

/** Returns why two colors cannot be used together, with the field to change; undefined if they can. */
function contrastProblem(foreground: Color, background: Color): string | undefined {
	const { displayName: other } = qrCodeFields.background;
	if (luminanceOf(foreground) >= luminanceOf(background)) {
		return `is not darker than ${other}; choose a darker color, because many scanners read only dark codes on light`;
	}
	const contrast = contrastOf(foreground, background);
	if (contrast >= minContrast) return undefined;
	const shown = (Math.floor(contrast * 10) / 10).toFixed(1);
	return `has a contrast of ${shown} to ${other}; choose a darker color, so that the contrast is at least ${minContrast}`;
}

/** Returns the settings in the value of the option, with the defaults of empty values, or all problems with them. */
export function readQrCodeSettings(option: unknown): Read {
	const problems: Problem[] = [];
	const report = ({ displayName, name: key }: INodeProperties, reasons: readonly string[]) => {
		for (const reason of reasons) problems.push({ field: displayName, key, reason });
	};
	const picture = isRecord(option) ? (option[qrCodeGroup] ?? {}) : option;
	if (!isRecord(picture)) {
		report(qrCodeOption, [
			`${quote(picture, qrCodeOption)} is not a group of settings; choose them in the form`,
		]);
		return problems;
	}
	const text = (property: INodeProperties, codec: typeof choice) => {
		const read = textOf(codec, picture[property.name], property);
		if (!(read instanceof Invalid)) return read;
		report(property, read.reasons);
		return String(property.default);
	};
	const color = (property: INodeProperties): Color => {
		const written = text(property, line);
		const read = colorOf(written);
		if (read) return read;
		report(property, [
			`${quote(written, property)} is not a color; enter a hex code like ${String(property.default)}`,
		]);
		return [0, 0, 0];
	};
	const { format, size, errorCorrection, fileName, outputField } = qrCodeFields;
	const written = text(format, choice);
	const level = text(errorCorrection, choice);
	const settings: QrCodeSettings = {
		format: (['svg', 'svgText'] as const).find((value) => value === written) ?? 'png',
		size: Math.floor(Number(text(size, bounded))),
		errorCorrection: levels.find((value) => value === level) ?? 'M',
		foreground: color(qrCodeFields.foreground),
		background: color(qrCodeFields.background),
		fileName: text(fileName, line),
		outputField: text(outputField, line),
	};
	const reason =
		problems.length > 0 ? undefined : contrastProblem(settings.foreground, settings.background);
	if (reason) report(qrCodeFields.foreground, [reason]);
	return problems.length > 0 ? problems : settings;
}

/** Returns the settings of a row, or all problems with them; undefined if the row gets no QR code. */
export type QrCodeReader = (index: number) => Read | undefined;

/**
 * Returns a reader of the settings of each row. Without an expression, it reads them once.
 *
 * @param first position of the first row
 * @throws NodeOperationError if settings that all rows share are invalid
 */
export function qrCodeReader(
	context: IExecuteFunctions,
	contract: ResourceContract,
	operation: OperationName,
	first: number,
): QrCodeReader {
	const isAlways = operationTable[operation].drawsQrCode;
	const isPossible = returnsResources(operation) && isAlways !== false;
	if (contract.key.address === undefined || !isPossible) return () => undefined;
	const { name } = optionsCollection(contract);
	const readSettings = (option: unknown): Read | undefined => {
		if (!isUnset(option)) return readQrCodeSettings(option);
		return isAlways ? readQrCodeSettings({}) : undefined;
	};
	const form: unknown = context.getNode().parameters[name];
	if (isRecord(form) && hasExpression(form[qrCodeOption.name])) {
		const property = { ...qrCodeOption, name: `${name}.${qrCodeOption.name}` };
		return (index) => {
			const read = readParameter(context, property, index);
			return 'problem' in read
				? [{ ...read.problem, key: qrCodeOption.name }]
				: readSettings(read.value);
		};
	}
	const options: unknown = context.getNodeParameter(name, first, {});
	const settings = readSettings(isRecord(options) ? options[qrCodeOption.name] : undefined);
	if (settings !== undefined && !('format' in settings)) {
		const texts = settings.map(({ field, reason }) => `${field} ${reason}`);
		throw settingsError(context.getNode(), texts.join('. '));
	}
	return () => settings;
}

/**
 * Reads the settings of each row. A row with invalid settings is invalid.
 *
 * @returns the rows, and a function that returns the settings of a row
 */
export function qrCodeSettingsOfRows(
	rows: readonly Row[],
	reader: QrCodeReader,
): { rows: Row[]; settingsOf: (index: number) => QrCodeSettings | undefined } {
	const settings = new Map<number, QrCodeSettings>();
	const checked = rows.map((row) => {
		const read = reader(row.index);
		if (read === undefined) return row;
		if ('format' in read) {
			settings.set(row.index, read);
			return row;
		}
		return { ...row, encoded: isEncoded(row.encoded) ? read : [...row.encoded, ...read] };
	});
	return { rows: checked, settingsOf: (index) => settings.get(index) };
}
