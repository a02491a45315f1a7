import { switchDisabled } from './switchDisabled';

/** Enables the resource of each row again, and changes nothing else. */
export const enable = switchDisabled('enabled');
