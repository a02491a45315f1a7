export { stopShared as default } from './sharedN8n.ts';
