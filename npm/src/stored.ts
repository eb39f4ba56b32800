// All that the `cache` option and `modelCache` need, in one chunk.

export { downloading } from './http_download.js';
export { clearStored, deleteStored, listStored } from './stored_files.js';
export { loadStored } from './stored_loading.js';
export { openStored } from './stored_source.js';
