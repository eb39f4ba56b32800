import { QuintetError } from '../../base/errors.js';
import { validate } from '../../index.js';
import { defineCommand } from '../command.js';
import { CHECK_FAILED, DONE, failureLine, REFUSED } from '../ending.js';
import { somePositionals } from '../options/positionals.js';
import { modelSource } from '../output/sources.js';

interface Verdict {
  status: number;
  /** Goes to stdout if the file is valid, else to stderr. */
  line: string;
  /** Problems that the format allows but that make the model useless. */
  warnings: string[];
  json: Record<string, unknown>;
}

export default defineCommand({
  usage: ['validate FILE... [options]'],
  description: `Reads whole model files and checks structure, checksums, shapes and values. Exit status 1 if a
file is not valid, 2 if one cannot be read. A FILE may be - for stdin.`,
  options: { json: { type: 'boolean', help: 'print one JSON line per file' } },
  examples: ['quintet validate model.amb', 'quintet validate models/*.weights --json'],

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
