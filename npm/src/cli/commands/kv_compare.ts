import { CHECK_FAILED, DONE, UsageError } from '../ending.js';
import { defineCommand } from '../command.js';
import { KvCacheFile } from '../kv/kv_file.js';
import { describeReport, LIMITS_HELP, missedLimits, REPORT_HELP, reportOf } from '../kv/kv_report.js';
import { exactPositionals } from '../options/positionals.js';
import { modelSource } from '../output/sources.js';

export default defineCommand({
  help: `Usage: quintet kv compare A B [--json]

What is lost in B of A: two KV caches of one shape, plain or compressed, in any types. Exit status 1
where a limit is missed.

${REPORT_HELP}

${LIMITS_HELP}

A or B may be - for stdin.`,
  options: { json: { type: 'boolean' } },

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
