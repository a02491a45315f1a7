/**
 * What the reference says of a parameter in place of its description. n8n's AI builder reads the descriptions of all
 * operations, so they are short. The keys are descriptions, or the labels of parameters without one.
 */
export const meanings: Readonly<Record<string, string>> = {
	'Whether to preview instead of writing':
		'Whether to return a preview instead of writing. The preview contains the outcome of each item, and its values before and after. The node reads from the service to make it. Passwords are masked.',
	'Whether to include the input item':
		'Whether to include the fields and binary data of the input item. The result is then in a field with the name of the resource.',
	'Max time to wait for the rate limit, or for a service that does not respond':
		'Max time to wait for a rate limit or an outage before the item fails. Time spent queued behind other requests does not count.',
	'Max number of requests per minute, over all executions. 0 means no limit.':
		'Max number of requests per minute, shared by all executions that set this option and use the same API key. The lowest value applies. If 0, only the rate limit of the service applies.',
	'Max time to wait for a response':
		'Max time to wait for a response. A create can take several seconds, because the service reads the title of the destination page.',
	'Max number of resources to disable or delete. If there are more, the node fails before it writes.':
		'Max number of resources that a sync can disable or delete. If it would remove more, the node fails before it writes. 0 allows no removals.',
	'Max percentage of the scope to disable or delete. If there are more, the node fails before it writes.':
		'Max percentage of the scope that a sync can disable or delete. If it would remove more, the node fails before it writes.',
	'What to do if the value of an optional field is empty':
		'What to do if the value of an optional field is empty, as from an empty cell',
	'Mapping Column Mode': 'How to set the values of the fields',
	'Inputs to Ignore': 'The columns to ignore, separated by commas',
	'Only links that match all of these fields are created, updated or removed':
		'Which links to sync. The node creates, updates or removes only links that match all of these fields.',
	'Only pixels that match all of these fields are created, updated or removed':
		'Which pixels to sync. The node creates, updates or removes only pixels that match all of these fields.',
	'What to do with links of the scope that match no row, after all rows succeed':
		'What to do with the links in the scope that match no row. Runs only after all rows succeed.',
	'What to do with pixels of the scope that match no row, after all rows succeed':
		'What to do with the pixels in the scope that match no row. Runs only after all rows succeed.',
	'The fields to clear':
		'The fields to clear. Fields that you neither set nor clear do not change.',
	Format: 'What to create. AI tools return no files, so they return only SVG Text.',
	'Max width in px':
		'Max width and height in px, with the empty border. All modules have the same whole number of px, so the code can be smaller.',
	'Put Output File in Field': 'For SVG Text, the name of the field in the JSON',
	'How to combine these pixels with the pixels of the link':
		'How to combine these pixels with the pixels of the link. If not set, Replace applies. Add and Remove read the link first, so each item takes two requests.',
	'The URL that the link redirects to, including https://':
		'The URL that the link redirects to. Include https:// or another scheme. Most services allow up to 2,048 characters.',
	'The domain of the link. You cannot change it later.':
		'The domain of the link. You cannot change it later. Most services require it to create a link.',
	'The last part of the short URL, generated if empty':
		'The last part of the short URL. Most services allow up to 255 letters, digits, - and _. Each alias of a domain is unique. If you leave it out, the service generates one.',
	'Clicks after which the link expires':
		'The number of clicks after which the link expires. Most services allow 0 to 999,999,999.',
	'The password for visitors':
		'The password that visitors must enter. Most services allow up to 128 characters.',
	'Who can see the statistics': 'Who can see the statistics of the link',
	'The password, if Statistics Privacy is Password':
		'The password of the statistics page, if Statistics Privacy is Password. Most services allow up to 128 characters.',
	'The link, by its ID, short URL or alias':
		'The link, chosen from the list or specified by its ID, short URL or alias',
	Space: 'The space of the link',
	'Redirects visitors by country': 'Redirects visitors from a country to another URL',
	'Redirects visitors by browser language':
		'Redirects visitors with a browser language to another URL',
	'Redirects visitors by platform': 'Redirects visitors with a platform to another URL',
	'How to redirect visitors. Rules set it.':
		'How to redirect visitors. The node sets it automatically from the rules that you add. To turn rules off, set it to None.',
	'When the link expires. A date without a time means the end of that day.':
		'When the link expires. A date without a time means the end of that day. The node sends it in Account Time Zone of the credential, or by default in the time zone of the workflow. A value with an offset is converted.',
	'UTM Parameters':
		'The UTM parameters to add to the URLs of the item: Destination URL and the rules, but not Expiration Redirect URL. They replace parameters of the same name. Empty parameters change nothing. The item needs a URL.',
	'The length of a random alias for items without one':
		'The length of a random alias for items without one. If the response to a create is lost, the node finds the link by its alias and does not create it twice.',
	'Where the link redirects after it expires':
		'The URL that the link redirects to after it expires',
	'Redirects visitors in turn': 'Redirects visitors to several URLs in turn',
	'Whether to map passwords': 'Whether to also map columns to password fields',
};
