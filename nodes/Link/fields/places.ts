import { placesOf } from '../../shared/contract/operations';

/** The collections that contain the optional fields of a link, by operation. */
export const createAndUpdate = placesOf('optional');

/** The collection of the fields that few users need, because a simpler field sets the same values. */
export const advanced = placesOf('advanced');
