// Packs the build. npm run pack [-- <folder>], by default into the current folder.
import { pack } from '../../testkit/n8n/package.ts';

console.log(await pack(process.cwd(), process.argv[2] ?? '.'));
