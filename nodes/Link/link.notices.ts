import type { INodeProperties } from 'n8n-workflow';

const isSet = [{ _cnd: { exists: true as const } }];
const onCreate = ['create', 'sync', 'upsert'];
const onUpdate = ['update'];

/** A text beside a field: shown for some operations while the field has one of some values. */
const notice = (
	name: string,
	displayName: string,
	operation: string[],
	field: string,
	values: Array<number | (typeof isSet)[0]> = isSet,
): INodeProperties => ({
	displayName,
	name,
	type: 'notice',
	default: '',
	displayOptions: { show: { operation, [`/${field}`]: values } },
});

const rules =
	'A Target Type needs its rules: add them one by one, or all in one value with Target Rules';
const halves = 'Expiration Date and Expiration Time need each other; Expiration sets both';
const privacy = 'The statistics are protected by Privacy Password: set it too';
const pixels =
	'Pixel Names or IDs replace all pixels that the link has, unless Pixel Mode is Add or Remove';
const utm =
	'UTM Parameters become a part of the destination, so an update needs Destination URL as well';
const replaced = `${rules}. They replace all rules of that kind.`;
const targeted = [1, 2, 3, 4];

/**
 * What is told beside a field once it is there, because it needs another one (assumption: limits). A notice stays while
 * its field does: one that went when another field is added would take that field with it, because the editor drops
 * what is still empty when something disappears.
 */
export const linkNotices: INodeProperties[] = [
	notice('targetTypeNotice', rules, onCreate, 'additionalFields.targetType', targeted),
	notice('targetTypeNoticeOnUpdate', replaced, onUpdate, 'updateFields.targetType', targeted),
	notice('privacyNotice', privacy, onCreate, 'additionalFields.privacy', [2]),
	notice('expirationNotice', halves, onCreate, 'additionalFields.expirationDate'),
	notice('expirationNoticeOnUpdate', halves, onUpdate, 'updateFields.expirationDate'),
	notice('pixelsNotice', pixels, onUpdate, 'updateFields.pixelIds'),
	notice('utmNotice', utm, onUpdate, 'updateFields.utm'),
];
