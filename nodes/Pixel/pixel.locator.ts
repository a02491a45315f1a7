import { locatorOf } from '../shared/description/locators';

/** A pixel, found by its name. */
export const pixelLocator = locatorOf('pixel', 'searchPixels');
