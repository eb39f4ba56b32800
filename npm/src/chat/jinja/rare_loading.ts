// Loads the rare parts of the language.

import { lazyModule } from '../../base/lazy_module.js';
import { setRareParts } from './library/rare_parts.js';

const loading = lazyModule(() => import('./library/rare/parts.js'), 'parts');

/** Templates that need them can be rendered from then on. */
export async function loadRareParts(): Promise<void> {
  setRareParts((await loading()).parts);
}
