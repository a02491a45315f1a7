export { LinkManagementApi } from './credentials/LinkManagementApi.credentials';
export { Link } from './nodes/Link/Link.node';
export { Pixel } from './nodes/Pixel/Pixel.node';
export { LinkTrigger } from './nodes/LinkTrigger/LinkTrigger.node';
