import type { INodeProperties } from 'n8n-workflow';

const isSet = [{ _cnd: { exists: true as const } }];
const onCreate = ['create', 'upsert'];
const onUpdate = ['update'];

/** A notice about rules is of no use once there are some, of whatever kind. */
const withoutRules = (collection: 'additionalFields' | 'updateFields') => ({
	[`/${collection}.country`]: isSet,
	[`/${collection}.language`]: isSet,
	[`/${collection}.platform`]: isSet,
	[`/${collection}.rotation`]: isSet,
	[`/${collection}.targetRules`]: isSet,
});

/** What is told beside a field once it is there, because it needs another one (assumption: limits). */
export const linkNotices: INodeProperties[] = [
	{
		displayName:
			'Add the rules of this Target Type too: one by one, or all in one value with Target Rules',
		name: 'targetTypeNotice',
		type: 'notice',
		default: '',
		displayOptions: {
			show: { operation: onCreate, '/additionalFields.targetType': [1, 2, 3, 4] },
			hide: withoutRules('additionalFields'),
		},
	},
	{
		displayName:
			'Add the rules of this Target Type too: one by one, or all in one value with Target Rules. They replace all rules of that kind.',
		name: 'targetTypeNoticeOnUpdate',
		type: 'notice',
		default: '',
		displayOptions: {
			show: { operation: onUpdate, '/updateFields.targetType': [1, 2, 3, 4] },
			hide: withoutRules('updateFields'),
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
			'UTM Parameters become a part of the destination, so an update needs Destination URL as well',
		name: 'utmNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { operation: onUpdate, '/updateFields.utm': isSet } },
	},
];
