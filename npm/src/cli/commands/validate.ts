import { CHECK_FAILED, DONE, failureLine, REFUSED } from '../ending.js';
import { validate } from '../../index.js';
import { QuintetError } from '../../base/errors.js';
import { defineCommand } from '../command.js';
import { somePositionals } from '../options/positionals.js';
import { modelSource } from '../output/sources.js';

interface Verdict {
  status: number;
  /** For people: to stdout where the file is good, else to stderr. */
  line: string;
  /** What is allowed and makes the model useless. */
  warnings: string[];
  json: Record<string, unknown>;
}

export default defineCommand({
  help: `Usage: quintet validate FILE... [--json]

Reads whole files and checks structure, checksums, shapes and values. Exit status 1 when a file is
not valid, 2 when one cannot be read.

  --json    one JSON line per file

A FILE may be - for stdin.`,
  options: { json: { type: 'boolean' } },

  async run({ options, positionals, stdout, stderr }) {
    let status: number = DONE;
    for (const file of somePositionals(positionals, 'FILE')) {
      const verdict = await judge(file);
      status = Math.max(status, verdict.status);
      for (const warning of verdict.warnings) await stderr.line(`${file}: ${warning}`);
      if (verdict.status !== DONE) await stderr.line(verdict.line);
      if (options.json) await stdout.json(verdict.json);
      else if (verdict.status === DONE) await stdout.line(verdict.line);
    }
    return status;
  },
});

async function judge(file: string): Promise<Verdict> {
  try {
    const info = await validate(modelSource(file));
    const { format, kind, warnings = [] } = info;
    const tensors = info.tensors.length;
    return {
      status: DONE,
      line: `${file}: valid, ${format}, ${tensors} tensors`,
      warnings,
      json: { file, valid: true, format, kind, tensors, warnings },
    };
  } catch (error) {
    if (!(error instanceof QuintetError)) throw error;
    const { code, reason, format, offset, tensor, message } = error;
    return {
      status: code === 'IO' ? REFUSED : CHECK_FAILED,
      line: failureLine(error, file),
      warnings: [],
      json: { file, valid: false, error: { code, reason, format, offset, tensor, message } },
    };
  }
}
