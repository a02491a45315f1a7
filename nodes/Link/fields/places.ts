import { placesOf } from '../../shared/contract/operations';

/** The collections that contain the optional fields of a link, by operation. */
export const createAndUpdate = placesOf('optional');
