import { id, simple, text } from '../shared/contract/readers';
import type { OutputField } from '../shared/contract/resourceTypes';

/** The output fields of a pixel (assumption: one resource). */
export const pixelOutput: OutputField[] = [
	simple('id', 'ID', 'ID of the pixel', id('id')),
	simple('name', 'Name', 'Name of the pixel', text('name')),
	simple('type', 'Type', 'The tracking service that the pixel belongs to', text('type')),
	simple('value', 'Tracking ID', 'ID from the tracking service', text('value')),
	simple('createdAt', 'Created At', 'When the pixel was created', text('created_at')),
	simple('updatedAt', 'Updated At', 'When the pixel was last changed', text('updated_at')),
];
