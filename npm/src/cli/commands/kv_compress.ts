import { CHECK_FAILED, DONE } from '../ending.js';
import { inputError } from '../../base/errors.js';
import { choiceOption, requiredOption } from '../options/arguments.js';
import { AtomicFile } from '../output/atomic_file.js';
import { defineCommand } from '../command.js';
import { KvCacheFile, type KvForm, type KvGroup } from '../kv/kv_file.js';
import { describeReport, LIMITS_HELP, missedLimits, REPORT_HELP, reportOf, type KvReport } from '../kv/kv_report.js';
import { onlyPositional } from '../options/positionals.js';
import { modelSource } from '../output/sources.js';

export default defineCommand({
  help: `Usage: quintet kv compress IN --out FILE [options]

Rounds the keys and values of a KV cache to INT4, in groups of values along a head that share a
scale, and tells what that has lost. Token ids, logits and metadata stay. FILE is there whole at the
end, or not at all.

  -o, --out FILE          the file to write; - for stdout, then the report goes to stderr
  -g, --group-size N      32, 64 or 128; it divides the size of a head, or is not smaller: then a
                          head has one scale. Default: 64, or what of 32 and 128 fits
  -l, --layout L          packed (default): two values a byte, and the scales
                          float: the rounded values as floats, for readers that know no INT4
  --check                 where a limit is missed: exit status 1 and no FILE
${REPORT_HELP}

${LIMITS_HELP}

IN may be - for stdin. A file that is compressed already is refused.`,
  options: {
    out: { type: 'string', short: 'o' },
    'group-size': { type: 'string', short: 'g' },
    layout: { type: 'string', short: 'l' },
    check: { type: 'boolean' },
    json: { type: 'boolean' },
  },

  async run({ options, positionals, stdout, stderr }) {
    const input = onlyPositional(positionals, 'IN');
    const out = requiredOption('out', options.out);
    const layout = choiceOption('layout', options.layout, ['packed', 'float']);
    const group = choiceOption('group-size', options['group-size'], ['32', '64', '128']);
    const original = await KvCacheFile.read(modelSource(input));
    refuseCompressed(original);

    const groupSize = group === undefined ? undefined : (Number(group) as KvGroup);
    const compression = new Compression(original, { dtype: original.facts.dtype, compression: 'INT4', layout, groupSize });
    const accepts = (report: KvReport) => options.check !== true || report.quality_passed;
    const report =
      out === '-'
        ? await compression.toStream((bytes) => stdout.write(bytes), accepts)
        : await compression.toFile(out, accepts);

    const target = out === '-' ? stderr : stdout;
    await (options.json ? target.json(report) : target.line(describeReport(report)));
    const missed = missedLimits(report);
    if (missed !== undefined) await stderr.line(missed);
    return accepts(report) ? DONE : CHECK_FAILED;
  },
});

function refuseCompressed({ facts }: KvCacheFile): void {
  if (facts.layout === 'plain') return;
  const message = `the cache is INT4 already (layout ${facts.layout}, groups of ${facts.group}): decompress it first`;
  throw inputError('mismatch', message);
}

/** What was written is read again for the report: it tells of the bytes, not of the intention. */
class Compression {
  constructor(
    private readonly original: KvCacheFile,
    private readonly form: KvForm,
  ) {}

  async toFile(path: string, accepts: (report: KvReport) => boolean): Promise<KvReport> {
    const file = await AtomicFile.create(path);
    try {
      for (const piece of this.original.pieces(this.form)) await file.write(piece);
      await file.finishWriting();
      const report = reportOf(this.original, await KvCacheFile.read(file.temporaryPath));
      await (accepts(report) ? file.commit() : file.discard());
      return report;
    } catch (error) {
      await file.discard();
      throw error;
    }
  }

  async toStream(
    write: (bytes: Uint8Array) => Promise<void>,
    accepts: (report: KvReport) => boolean,
  ): Promise<KvReport> {
    const bytes = Buffer.concat([...this.original.pieces(this.form)]);
    const report = reportOf(this.original, await KvCacheFile.read(bytes));
    if (accepts(report)) await write(bytes);
    return report;
  }
}
