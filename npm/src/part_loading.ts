// Parts of the package that are loaded when they are first needed.

import { ioError, messageOf, unsupported } from './errors.js';

export async function loaded<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    // import() always fails there.
    if ('ServiceWorkerGlobalScope' in globalThis) throw unsupported("in service workers import 'quintet/service-worker'");
    throw ioError('network', `cannot load a part of the package: ${messageOf(error)}`, error);
  }
}
