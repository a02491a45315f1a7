import type { INodeProperties } from 'n8n-workflow';

const isSet = [{ _cnd: { exists: true as const } }];
const onCreate = ['create', 'upsert'];
const onUpdate = ['update'];

/**
 * What is told beside a field once it is there, because it needs another one (assumption: limits). A notice stays while
 * its field does: one that went when another field is added would take that field with it, because the editor drops
 * what is still empty when something disappears.
 */
export const linkNotices: INodeProperties[] = [
	{
		displayName:
			'A Target Type needs its rules: add them one by one, or all in one value with Target Rules',
		name: 'targetTypeNotice',
		type: 'notice',
		default: '',
		displayOptions: {
			show: { operation: onCreate, '/additionalFields.targetType': [1, 2, 3, 4] },
		},
	},
	{
		displayName:
			'A Target Type needs its rules: add them one by one, or all in one value with Target Rules. They replace all rules of that kind.',
		name: 'targetTypeNoticeOnUpdate',
		type: 'notice',
		default: '',
		displayOptions: {
			show: { operation: onUpdate, '/updateFields.targetType': [1, 2, 3, 4] },
		},
	},
	{
		displayName: 'The statistics are protected by Privacy Password: set it too',
		name: 'privacyNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { operation: onCreate, '/additionalFields.privacy': [2] } },
	},
	{
		displayName: 'Expiration Date and Expiration Time need each other; Expiration sets both',
		name: 'expirationNotice',
		type: 'notice',
		default: '',
		displayOptions: {
			show: { operation: onCreate, '/additionalFields.expirationDate': isSet },
		},
	},
	{
		displayName: 'Expiration Date and Expiration Time need each other; Expiration sets both',
		name: 'expirationNoticeOnUpdate',
		type: 'notice',
		default: '',
		displayOptions: { show: { operation: onUpdate, '/updateFields.expirationDate': isSet } },
	},
	{
		displayName:
			'Pixel Names or IDs replace all pixels that the link has, unless Pixel Mode is Add or Remove',
		name: 'pixelsNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { operation: onUpdate, '/updateFields.pixelIds': isSet } },
	},
	{
		displayName:
			'UTM Parameters become a part of the destination, so an update needs Destination URL as well',
		name: 'utmNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { operation: onUpdate, '/updateFields.utm': isSet } },
	},
];
