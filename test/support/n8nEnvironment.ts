// What n8n-core needs before it is loaded.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Otherwise n8n-core writes its key file into the home folder.
process.env.N8N_USER_FOLDER = mkdtempSync(join(tmpdir(), 'n8n-core-'));

// n8n's logger writes here, and to `console.log` if it is missing.
Object.defineProperty(console, '_stdout', { configurable: true, value: { write: () => true } });
