/** The collections that contain the optional fields of a link, by operation. */
export const createAndUpdate = {
	create: 'additionalFields',
	sync: 'additionalFields',
	update: 'updateFields',
	upsert: 'additionalFields',
} as const;

/** The collection of the fields that few users need, because a simpler field sets the same values. */
export const advanced = {
	create: 'advancedFields',
	sync: 'advancedFields',
	update: 'advancedFields',
	upsert: 'advancedFields',
} as const;
