import { linkContract } from '../../../../nodes/Link/link.contract';
import { pixelContract } from '../../../../nodes/Pixel/pixel.contract';
import { clearChoices } from '../../../../nodes/shared/contract/clearFields';

const choices = clearChoices(linkContract);

it('offers the fields that an update can clear, in alphabetical order', () => {
	const names = choices.map(({ name }) => name);
	expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b)));
	expect(names).toEqual(expect.arrayContaining(['Expiration', 'Password', 'Pixels', 'Space']));
	expect(clearChoices(pixelContract)).toEqual([]);
});

it.each(['url', 'alias', 'disabled', 'domainId'])('cannot clear %s', (name) => {
	expect(choices.map(({ value }) => value)).not.toContain(name);
});
