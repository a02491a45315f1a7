const { join } = require('node:path');
const { installationOf } = require('../installation.cjs');

const n8nOf = (folder) => installationOf(join(__dirname, folder), 'n8n');

/** The n8n that the demo, the benchmark and the tests run, and the last one of the generation before it. */
module.exports = { current: n8nOf('2'), older: n8nOf('1') };
