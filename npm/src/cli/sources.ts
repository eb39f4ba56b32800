// `-` is stdin; anything else is a path.
import type { ModelSource } from '../node.js';

export function modelSource(argument: string): ModelSource {
  return argument === '-' ? process.stdin : argument;
}
