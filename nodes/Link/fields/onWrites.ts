import { placesOf } from '../../shared/contract/operations';

/** Where the form shows the optional fields of a link, on the operations that write one. */
export const createAndUpdate = placesOf('optional');
