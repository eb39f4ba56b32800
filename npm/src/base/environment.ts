// Globals that an environment may lack: Jest's jsdom has no TextEncoder, ReadableStream or structuredClone, for example.

import { messageOf, unsupported, type QuintetError } from './errors.js';

/** What all parts of the package use. */
const common = ['TextEncoder', 'TextDecoder'];

/** Throws if this environment lacks what all of the package uses, or one of these globals. */
export function requireGlobals(...names: readonly string[]): void {
  for (const name of [...common, ...names]) if ((globalThis as Record<string, unknown>)[name] === undefined) throw lacking(name);
}

/**
 * The error for a global that is not there, if that is what was thrown: in Chrome, Node and Firefox, and in Safari. The fetch of Node
 * throws it as the cause of another error.
 */
export function missingGlobal(error: unknown): QuintetError | undefined {
  const [, chrome, safari = chrome] = /^(\S+) is not defined$|^Can't find variable: (\S+)$/.exec(messageOf(error)) ?? [];
  const { cause } = Object(error) as { cause?: unknown };
  return safari ? lacking(safari) : cause ? missingGlobal(cause) : undefined;
}

const lacking = (name: string): QuintetError => unsupported(`this engine has no ${name}, which quintet requires`);
