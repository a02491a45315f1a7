/** Debian's Chromium, which the browser tests drive. */
module.exports = '/usr/bin/chromium';
