import { rejection, ServiceError, settled } from '../../../../nodes/shared/transport/serviceError';

it('has its message and advice on one line', () => {
	const { name, message, failure } = rejection('two\nlines', 'and\r\nmore', { statusCode: 404 });
	expect({ name, message, failure }).toEqual({
		...{ name: 'ServiceError', message: 'two lines' },
		failure: { cause: 'rejected', message: 'two lines', advice: 'and more', statusCode: 404 },
	});
});

it('settles with a result or a ServiceError, and with nothing else', async () => {
	const error = new ServiceError({ cause: 'ended', message: '', advice: '' });
	expect(await settled(Promise.resolve(5))).toBe(5);
	expect(await settled(Promise.reject(error))).toBe(error);
	await expect(settled(Promise.reject(new TypeError('a bug')))).rejects.toThrow('a bug');
});
