import { readId, simple, readText } from '../shared/contract/readers';
import type { OutputField } from '../shared/contract/resourceTypes';

/** The output fields of a pixel (assumption: one resource). */
export const pixelOutput: OutputField[] = [
	simple('id', 'ID of the pixel', readId('id')),
	simple('name', 'Name of the pixel', readText('name')),
	simple('type', 'The tracking service that the pixel belongs to', readText('type')),
	simple('value', 'ID from the tracking service', readText('value'), 'Tracking ID'),
	simple('createdAt', 'When the pixel was created', readText('created_at')),
	simple('updatedAt', 'When the pixel was last changed', readText('updated_at')),
];
