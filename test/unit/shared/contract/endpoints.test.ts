import {
	apiRequest,
	endpointsOf,
	maxPageSize,
	pageSizes,
} from '../../../../nodes/shared/contract/endpoints';
import { comparesFirst, takesId } from '../../../../nodes/shared/contract/operations';
import type { OperationName } from '../../../../nodes/shared/contract/types';

const links = { path: '/links' } as const;

it.each<[operation: OperationName, isById: boolean, comparing: boolean, endpoints: string]>([
	['create', false, false, 'POST /links'],
	['delete', true, false, 'DELETE /links/{id}'],
	['disable', true, false, 'PUT /links/{id}'],
	['enable', true, false, 'PUT /links/{id}'],
	['get', true, false, 'GET /links/{id}'],
	['getAll', false, false, 'GET /links'],
	['getQrCode', true, false, 'GET /links/{id}'],
	['update', true, false, 'PUT /links/{id}'],
	['upsert', false, true, 'GET /links, POST /links, PUT /links/{id}'],
	['sync', false, true, 'GET /links, POST /links, PUT /links/{id}, DELETE /links/{id}'],
])('%s calls its endpoints', (operation, isById, comparing, endpoints) => {
	expect(takesId(operation)).toBe(isById);
	expect(comparesFirst(operation)).toBe(comparing);
	const texts = endpointsOf(links, operation).map(({ method, path }) => `${method} ${path}`);
	expect(texts.join(', ')).toBe(endpoints);
});

it('puts the encoded ID in the path', () => {
	expect(apiRequest(links, 'get', [], 'a/b $&')).toEqual({
		...{ method: 'GET', path: '/links/a%2Fb%20%24%26', params: [] },
	});
	expect(apiRequest(links, 'create', [['a', 'b']], '7')).toEqual({
		...{ method: 'POST', path: '/links', params: [['a', 'b']] },
	});
});

it('requests the largest page', () => {
	expect(maxPageSize).toBe(Math.max(...pageSizes));
});
