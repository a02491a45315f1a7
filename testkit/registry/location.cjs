const { installationOf } = require('../installation.cjs');

/** The npm registry that tests publish the package to. */
module.exports = installationOf(__dirname, 'verdaccio');
