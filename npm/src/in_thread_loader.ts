// The engines' JavaScript, which a page whose models live in workers never needs.

import { loaded } from './part_loading.js';

export const inThread = () => loaded(() => import('./in_thread.js'), 'loadEmbedder');
export const decoderInThread = () => loaded(() => import('./generator_in_thread.js'), 'loadGenerator');
export const classifierInThread = () => loaded(() => import('./classifier_in_thread.js'), 'loadClassifier');
