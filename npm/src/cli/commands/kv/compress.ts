import { inputError } from '../../../base/errors.js';
import { defineCommand } from '../../command.js';
import { CHECK_FAILED, DONE } from '../../ending.js';
import { KvCacheFile, type KvForm, type KvGroup } from '../../kv/kv_file.js';
import { describeReport, type KvReport, LIMITS_HELP, missedLimits, REPORT_JSON, reportOf } from '../../kv/kv_report.js';
import { choiceOption, requiredOption } from '../../options/arguments.js';
import { onlyPositional } from '../../options/positionals.js';
import { AtomicFile } from '../../output/atomic_file.js';
import { modelSource } from '../../output/sources.js';

export default defineCommand({
  usage: ['kv compress IN --out FILE [options]'],
  description: `Rounds the keys and values of a KV cache to INT4, in groups along a head that share a scale, and
reports the loss. Token ids, logits and metadata are kept. FILE is written completely or not at
all. IN may be - for stdin. A file that is already compressed is an error.`,
  options: {
    out: { type: 'string', short: 'o', value: 'FILE', help: 'file to write; - for stdout, with the report on stderr' },
    'group-size': {
      type: 'string',
      short: 'g',
      value: 'N',
      help:
        'values that share a scale: 32, 64 or 128; must divide the size of a head, or be at least as large, which ' +
        'gives one scale per head; default: 64, or whichever fits',
    },
    layout: {
      type: 'string',
      value: 'L',
      help: '`packed` (default): two values per byte; `float`: the rounded values as floats, for programs that cannot read INT4',
    },
    check: { type: 'boolean', help: 'if a limit is exceeded: exit status 1 and no FILE' },
    json: REPORT_JSON,
  },
  notes: LIMITS_HELP,
  examples: ['quintet kv compress cache.safetensors --out small.safetensors --check'],
  renamed: { '-l': '--layout' },

  async run({ options, positionals, stdout, stderr }) {
    const input = onlyPositional(positionals, 'IN');
    const out = requiredOption('out', options.out);
    const layout = choiceOption('layout', options.layout, ['packed', 'float']);
    const group = choiceOption('group-size', options['group-size'], ['32', '64', '128']);
    const original = await KvCacheFile.read(modelSource(input));
    refuseCompressed(original);

    const groupSize = group === undefined ? undefined : (Number(group) as KvGroup);
    const compression = new Compression(original, {
      dtype: original.facts.dtype,
      compression: 'INT4',
      layout,
      groupSize,
    });
    const accepts = (report: KvReport) => options.check !== true || report.qualityPassed;
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
  const message = `the cache is already INT4 (layout ${facts.layout}, groups of ${facts.group}): decompress it first`;
  throw inputError('mismatch', message);
}

/** Reads the written file back for the report, which then covers the bytes in the file. */
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
