import { id, text } from '../shared/contract/readers';
import type { OutputField } from '../shared/contract/types';

/** What a pixel is in the output (assumption: one resource). */
export const pixelOutput: OutputField[] = [
	{
		name: 'id',
		displayName: 'ID',
		description: 'ID of the pixel',
		isSimple: true,
		from: id('id'),
	},
	{
		name: 'name',
		displayName: 'Name',
		description: 'Name of the pixel',
		isSimple: true,
		from: text('name'),
	},
	{
		name: 'type',
		displayName: 'Type',
		description: 'The tracking service that the pixel belongs to',
		isSimple: true,
		from: text('type'),
	},
	{
		name: 'value',
		displayName: 'Value',
		description: 'Identifier that the tracking service gave',
		isSimple: true,
		from: text('value'),
	},
	{
		name: 'createdAt',
		displayName: 'Created At',
		description: 'When the pixel was created',
		isSimple: true,
		from: text('created_at'),
	},
	{
		name: 'updatedAt',
		displayName: 'Updated At',
		description: 'When the pixel was last changed',
		isSimple: true,
		from: text('updated_at'),
	},
];
