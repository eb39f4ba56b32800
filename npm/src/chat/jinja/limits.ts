// Limits of a rendering. A template comes with a model from anywhere: it may run forever, or produce more text than
// fits into memory.

import { chatError } from './errors.js';

/**
 * Nodes evaluated and items looped over: 10 million take 1 to 3 seconds. A conversation of 100 messages takes about
 * 50,000.
 */
const maxSteps = 10_000_000;
/** Characters or items that are read or copied in bulk in the time of a step. It also bounds the memory they take. */
const bulk = 64;
/** Characters of a rope of strings that an engine flattens in the time of a step. */
const joined = 512;
/** Characters of one string. */
const maxText = 16_000_000;
/** Items of one list. */
const maxItems = 1_000_000;
/** Expressions, blocks and macros within each other. Python's stack allows about as many. */
const maxDepth = 800;

// Rendering is synchronous: there is one at a time.
let steps = 0;
let depth = 0;

/** Runs a rendering within the limits. The stack of the engine is a limit as well, where values are nested deeply. */
export function limited<T>(job: () => T): T {
  steps = 0;
  depth = 0;
  try {
    return job();
  } catch (error) {
    // Firefox calls it InternalError.
    const { name, message } = error as Error;
    if (name !== 'RangeError' && name !== 'InternalError') throw error;
    throw /stack|recursion/.test(message) ? tooDeep() : chatError('limit', `chat template: ${message}`);
  } finally {
    steps = 0;
  }
}

/** Counts work. */
export function spend(cost = 1): void {
  steps += cost;
  if (steps > maxSteps)
    throw chatError('limit', 'the chat template runs too long: it does not end, or its loops are too large');
}

/** Counts this many characters read or copied. */
export function spendOn(length: number): void {
  spend(length / bulk);
}

/** Counts the assembly of a text of this length. */
export function spendOnJoining(length: number): void {
  spend(length / joined);
}

/** Begins a level. An error ends the whole rendering, so `leave` is only called after success. */
export function enter(): void {
  if (++depth > maxDepth) throw tooDeep();
}

export function leave(): void {
  --depth;
}

/** Runs a job one level deeper. */
export function nested<T>(job: () => T): T {
  enter();
  const result = job();
  leave();
  return result;
}

/** Call before a string of this length is made. */
export function checkLength(length: number): void {
  if (!(length <= maxText))
    throw chatError('limit', `the chat template makes a text of more than ${maxText} characters`);
}

/** Call before a list of this length is made. */
export function checkItems(length: number): void {
  if (!(length <= maxItems)) throw chatError('limit', `the chat template makes a list of more than ${maxItems} items`);
  spend(length / 16);
}

const tooDeep = () => chatError('limit', `the chat template nests more than ${maxDepth} levels`);
