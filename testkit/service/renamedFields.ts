import type { Form } from './form.ts';
import type { Representation } from './resource.ts';

/** The fields of a link that version 46 renamed. */
const goneFields = new Set([
	...['disabled', 'ends_at', 'expiration_url', 'expiration_date', 'expiration_time'],
	...['expiration_clicks', 'privacy_password', 'last_rotation', 'target_type'],
	...['country', 'platform', 'language', 'rotation'],
	...['country_target', 'platform_target', 'language_target', 'rotation_target'],
]);

const withoutGone = <T extends Form | Representation>(fields: T) =>
	Object.entries(fields).filter(([name]) => !goneFields.has(name));

/** Returns what such a service understands of a form. It silently ignores the rest, and `password` protects the statistics. */
export const understood = (form: Form): Form =>
	Object.fromEntries(
		withoutGone(form).map(([name, value]) => [
			name === 'password' ? 'privacy_password' : name,
			value,
		]),
	);

/** Returns a link as such a service shows it. */
export const renamed = (link: Representation): Representation => ({
	...Object.fromEntries(withoutGone(link)),
	password: link.privacy_password,
	...{ targets_type: null, targets: null, active_period_end_at: null },
	...{ clicks_limit: null, redirect_password: false },
});
