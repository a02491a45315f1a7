/** Where the optional fields of a link stand, on the operations that write one. */
export const createAndUpdate = {
	create: 'additionalFields',
	sync: 'additionalFields',
	update: 'updateFields',
	upsert: 'additionalFields',
} as const;
