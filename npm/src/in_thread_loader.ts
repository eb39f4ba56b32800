// The engine's JavaScript is loaded when it is first needed: a page whose models live in workers never needs it.

import { ioError, messageOf } from './errors.js';

export async function inThread(): Promise<typeof import('./in_thread.js')> {
  try {
    return await import('./in_thread.js');
  } catch (error) {
    throw ioError('network', `cannot load the engine: ${messageOf(error)}`, error);
  }
}
