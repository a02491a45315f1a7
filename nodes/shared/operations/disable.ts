import { switchDisabled } from './switchDisabled';

/** Disables the resource of each row, and changes nothing else. */
export const disable = switchDisabled('disabled');
