import { defineCommand } from '../../command.js';
import { CHECK_FAILED, DONE, UsageError } from '../../ending.js';
import { KvCacheFile } from '../../kv/kv_file.js';
import { describeReport, LIMITS_HELP, missedLimits, REPORT_JSON, reportOf } from '../../kv/kv_report.js';
import { exactPositionals } from '../../options/positionals.js';
import { modelSource } from '../../output/sources.js';

export default defineCommand({
  usage: ['kv compare A B [options]'],
  description: `Shows how far KV cache B is from KV cache A. Both have the same shape and may be plain or
compressed, of any type. Exit status 1 if a limit is exceeded. A or B may be - for stdin.`,
  options: { json: REPORT_JSON },
  notes: LIMITS_HELP,
  examples: ['quintet kv compare original.safetensors compressed.safetensors'],

  async run({ options, positionals, stdout, stderr }) {
    const [a, b] = exactPositionals(positionals, 'A', 'B');
    if (a === '-' && b === '-') throw new UsageError('stdin can be only one of A and B');
    const report = reportOf(await KvCacheFile.read(modelSource(a)), await KvCacheFile.read(modelSource(b)));
    await (options.json ? stdout.json(report) : stdout.line(describeReport(report)));
    const missed = missedLimits(report);
    if (missed === undefined) return DONE;
    await stderr.line(missed);
    return CHECK_FAILED;
  },
});
