/** Where the optional fields of a link stand, on the operations that write one. */
export const onWrites = {
	create: 'additionalFields',
	sync: 'additionalFields',
	update: 'updateFields',
	upsert: 'additionalFields',
} as const;
