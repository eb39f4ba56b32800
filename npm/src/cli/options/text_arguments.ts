import { lineBatches } from '../output/lines.js';
import { stdinBytes } from '../output/sources.js';

/** The text itself; or, for `-`, all of stdin. */
export async function wholeText(argument: string): Promise<string> {
  return argument === '-' ? new TextDecoder().decode(await stdinBytes()) : argument;
}

/** The text itself; or, for `-`, the lines of stdin. */
export async function* textsOf(argument: string): AsyncGenerator<string> {
  if (argument !== '-') {
    yield argument;
    return;
  }
  for await (const lines of lineBatches(process.stdin)) {
    for (const { text, fault } of lines) {
      if (fault) throw fault;
      yield text;
    }
  }
}
