// Counts the lines of an input, for the report at the end of a run.
import { DONE, LINES_FAILED } from '../ending.js';
import type { Output } from './output.js';

export class LineTally {
  /** Blank lines among JSON lines do not count. */
  lines = 0;
  bad = 0;
  /** Texts longer than the model's limit. */
  cut = 0;

  /** One line on stderr for texts that were cut, one for bad lines; returns the exit status. */
  async report(stderr: Output, whatFailed: string): Promise<number> {
    const { lines, bad, cut } = this;
    if (cut > 0) await stderr.line(`${cut} of ${lines} texts were too long and were cut`);
    if (bad === 0) return DONE;
    await stderr.line(`quintet: ${bad} of ${lines} lines ${whatFailed}`);
    return LINES_FAILED;
  }
}
