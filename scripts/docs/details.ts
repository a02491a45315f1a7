/**
 * What the reference says of a parameter, by its name, in addition to its description in the form. n8n's AI builder reads
 * the descriptions of all operations, so they are short.
 */
export const details: Readonly<Record<string, string>> = {
	syncScope: 'A scope needs at least one of these fields.',
	linkId:
		'See [Choose a link](#choose-a-link). Empty: see [Match By](sync.md#how-a-row-finds-its-link).',
	pixelId: 'From List or By ID. Empty: see [Match By](sync.md#how-a-row-finds-its-link).',
	url: 'With a scheme. Usually up to 2,048 characters.',
	domainId: 'Most services require it to create a link.',
	alias: 'Usually up to 255 letters, digits, - and _; unique in its domain.',
	format: 'AI tools return only SVG Text.',
	size: 'See [QR codes](#qr-codes).',
	expiration: 'See [Expiration](#expiration).',
	expirationClicks: 'Usually 0 to 999,999,999.',
	country: 'See [Rules](#rules).',
	password: 'Usually up to 128 characters.',
	pixelIds: 'See [Names and codes](#names-and-codes).',
	privacyPassword: 'Only if Statistics Privacy is Password. Usually up to 128 characters.',
	targetType: 'The node sets it from the rules. None turns rules off.',
	utm: 'See [UTM Parameters](#utm-parameters).',
	pixelMode:
		'The default is Replace. Add and Remove read the link first, so each item takes two requests.',
	clearFields:
		'Fields that you neither set nor clear do not change. [Empty Values](#options) does the same for columns.',
	name: 'Usually up to 32 characters; unique.',
	value: 'Usually up to 255 letters, digits, - and _.',
	concurrency: 'Max number of requests at the same time.',
	dryRun: 'See [Dry Run](#dry-run).',
	emptyValues: 'What an empty value does: skip the field, or clear it (`clear`).',
	generateAlias:
		'Length of a random alias for items without one. If the response to a create is lost, the node finds the link by it.',
	ignoreMissing: 'A resource that does not exist counts as deleted.',
	includeInput:
		'The result is in the field `link` or `pixel`, next to the columns and binary data of the input item.',
	mapPasswords: 'Columns also fill password fields.',
	maxRemovals: 'See [Safe syncs](sync.md#safe-syncs). 0 allows no removals.',
	maxRemovalPercentage: 'See [Safe syncs](sync.md#safe-syncs).',
	maxWait:
		'For a rate limit or an outage, per item. Time spent queued behind other requests does not count. Each page of a list has a new Max Wait.',
	binaryPropertyName: 'For SVG Text, the name of the field in the JSON.',
	requestsPerMinute:
		'Shared by all executions that set it with the same API key; the lowest value applies. 0 is no limit.',
	timeout:
		'For a response. A create can take several seconds, because the service reads the title of the destination page.',
};
