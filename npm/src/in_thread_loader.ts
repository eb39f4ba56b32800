// The engines' JavaScript, which a page whose models live in workers never needs.

import { loaded } from './part_loading.js';

export const inThread = () => loaded(() => import('./in_thread.js'));
export const decoderInThread = () => loaded(() => import('./generator_in_thread.js'));
export const classifierInThread = () => loaded(() => import('./classifier_in_thread.js'));
