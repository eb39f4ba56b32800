import { stat } from 'node:fs/promises';
import { convert, validate, type ConvertOptions } from '../../node.js';
import { choiceOption, countOption, requiredOption } from '../arguments.js';
import { AtomicFile } from '../atomic_file.js';
import { defineCommand } from '../command.js';
import { CHECK_FAILED, DONE } from '../exit_status.js';
import { convertSource } from '../model_files.js';
import { readableBytes } from '../numbers.js';
import type { Output } from '../output.js';
import { notePooling } from '../pooling_note.js';
import { somePositionals } from '../positionals.js';
import { ProgressBar } from '../progress_bar.js';
import { UsageError } from '../usage_error.js';
import { lowestCosine } from '../verify_conversion.js';

const FORMATS = ['weights'] as const;
const QUANTIZATIONS = ['none', 'f16', 'bf16', 'int8-row', 'int8-group'] as const;

const INT8_COSINE = 0.99;
const FLOAT_COSINE = 0.9999;

export default defineCommand({
  help: `Usage: quintet convert IN... --to weights --out FILE [options]

Makes a .weights file from a Hugging Face folder of a BERT sentence embedder (config.json, vocab.txt
or tokenizer.json, *.safetensors), from these files one by one, or from another .weights file. FILE
is there whole at the end, or not at all.

  -t, --to FORMAT         weights
  -o, --out FILE          the file to write; - for stdout
  -q, --quantize Q        none (float32), f16, bf16, int8-row (one scale per row) or int8-group;
                          left out: as the source stores it
  -g, --group-size N      values that share a scale with int8-group; default 64
  --name NAME             what the file says as model_name
  --verify                compare the vectors of some texts with those of the model before
                          quantizing; exit status 1 and no FILE where they differ: cosine
                          below ${INT8_COSINE} (int8) or ${FLOAT_COSINE}
  --json                  one JSON object about the result, on stdout`,
  options: {
    to: { type: 'string', short: 't' },
    out: { type: 'string', short: 'o' },
    quantize: { type: 'string', short: 'q' },
    'group-size': { type: 'string', short: 'g' },
    name: { type: 'string' },
    verify: { type: 'boolean' },
    json: { type: 'boolean' },
  },

  async run({ options, positionals, stdout, stderr }) {
    const inputs = somePositionals(positionals, 'IN');
    requiredOption('to', options.to);
    const to = choiceOption('to', options.to, FORMATS)!;
    const out = requiredOption('out', options.out);
    const quantize = choiceOption('quantize', options.quantize, QUANTIZATIONS);
    const groupSize = countOption('group-size', options['group-size']);
    if (options.verify && (out === '-' || inputs.includes('-'))) {
      throw new UsageError('--verify reads input and output again: neither can be -');
    }
    const settings: ConvertOptions = {
      to,
      ...(quantize === undefined ? {} : { quantize }),
      ...(groupSize === undefined ? {} : { groupSize }),
      ...(options.name === undefined ? {} : { metadata: { model_name: options.name } }),
    };
    const pieces = convertWithProgress(inputs, settings, stderr);
    if (out === '-') {
      for await (const piece of pieces) await stdout.write(piece);
      return DONE;
    }

    const file = await AtomicFile.create(out);
    try {
      for await (const piece of pieces) await file.write(piece);
      await file.finishWriting();
      const cosine = options.verify ? await verify(inputs, to, file.temporaryPath) : undefined;
      // A cosine that is not a number fails as well.
      if (cosine !== undefined && !(cosine >= leastCosine(quantize))) {
        await file.discard();
        await stderr.line(`quintet: ${to}: not verified, a cosine is ${cosine.toFixed(6)}`);
        return CHECK_FAILED;
      }
      await file.commit();
      for (const input of inputs) await notePooling(input, stderr);
      await report({ out, quantize, cosine }, options.json === true, stdout);
      return DONE;
    } catch (error) {
      await file.discard();
      throw error;
    }
  },
});

async function* convertWithProgress(
  inputs: string[],
  options: ConvertOptions,
  stderr: Output,
): AsyncGenerator<Uint8Array> {
  const bar = new ProgressBar(stderr, 'converting');
  const onProgress = ({ done, total }: { done: number; total: number }) => bar.update(done, total);
  try {
    yield* convert(await convertSource(inputs), { ...options, onProgress });
  } finally {
    bar.clear();
  }
}

/** Lowest cosine to what the source answers before it is quantized. */
async function verify(inputs: string[], to: 'weights', path: string): Promise<number> {
  await validate(path);
  return lowestCosine(convert(await convertSource(inputs), { to }), path);
}

function leastCosine(quantize: string | undefined): number {
  return quantize?.startsWith('int8') ? INT8_COSINE : FLOAT_COSINE;
}

async function report(
  result: { out: string; quantize: string | undefined; cosine: number | undefined },
  json: boolean,
  stdout: Output,
): Promise<void> {
  const { size } = await stat(result.out);
  if (json) return stdout.json({ ...result, bytes: size });
  const verified = result.cosine === undefined ? '' : `, cosine ${result.cosine.toFixed(6)} or better`;
  return stdout.line(`${result.out}: ${readableBytes(size)}${verified}`);
}
