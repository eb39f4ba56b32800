// What is behind the public classes and functions: a page needs one of these or the other, hardly ever all.

import { loaded } from './part_loading.js';

export const embedding = () => loaded(() => import('./loaded_embedder.js'), 'loadSentenceEmbedder');
export const generation = () => loaded(() => import('./generator.js'), 'loadTextGenerator');
export const classification = () => loaded(() => import('./classifier.js'), 'loadImageClassifier');
export const indexFile = () => loaded(() => import('./search_index_file.js'), 'writeIndexFile');
export const indexMerging = () => loaded(() => import('./search_index_merge.js'), 'mergeIndexFiles');
export const conversion = () => loaded(() => import('./convert_model.js'), 'convertModel');
