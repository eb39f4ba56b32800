// The engine's JavaScript is loaded when it is first needed: a page whose models live in workers never needs it, and
// hardly any page converts.

import { ioError, messageOf } from './errors.js';

export const inThread = () => loaded(() => import('./in_thread.js'));
export const conversion = () => loaded(() => import('./convert_model.js'));

async function loaded<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw ioError('network', `cannot load the engine: ${messageOf(error)}`, error);
  }
}
