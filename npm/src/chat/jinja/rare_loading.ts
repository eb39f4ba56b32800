// Loads the rare parts of the language.

import { lazyPart } from '../../base/lazy_part.js';
import { setRareParts } from './library/rare_parts.js';

const loading = lazyPart(() => import('./library/rare/parts.js'), 'parts');

/** Templates that need them can be rendered from then on. */
export async function loadRareParts(): Promise<void> {
  setRareParts((await loading()).parts);
}
