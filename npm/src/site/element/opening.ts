import { QuintetError } from '../../base/errors.js';
import type { Site } from '../types.js';
export const openSite = async (_: URL, __: { lang: string }): Promise<Site> => {
  throw new QuintetError('UNSUPPORTED', 'no reader yet');
};
