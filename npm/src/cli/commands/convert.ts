import { stat } from 'node:fs/promises';
import { CHECK_FAILED, DONE, UsageError } from '../ending.js';
import { convert, type ConvertOptions } from '../../index.js';
import { requiredOption } from '../options/arguments.js';
import { AtomicFile } from '../output/atomic_file.js';
import { defineCommand } from '../command.js';
import { CONVERT_OPTIONS, convertSettings } from '../options/convert_settings.js';
import { convertSource } from '../models/model_files.js';
import { readableBytes } from '../options/numbers.js';
import type { Output } from '../output/output.js';
import { notePooling } from '../output/pooling_note.js';
import { somePositionals } from '../options/positionals.js';
import { ProgressBar } from '../output/progress_bar.js';
import { describeVerification, leastCosine, verify, type Verification } from '../models/verification.js';

export default defineCommand({
  help: `Usage: quintet convert IN... --to FORMAT --out FILE [options]

Makes a model file of another one, of a Hugging Face folder (config.json; tokenizer.json,
tokenizer.model or vocab.txt; *.safetensors, in shards or not), or of these files one by one.
Text generators (Llama, Mistral, Phi-2, Phi-3; GGUF too) become amb or alt, BERT sentence
embedders weights, ResNets (torchvision's names) tinyruntime; anything becomes safetensors. FILE is
there whole at the end, or not at all.

  -t, --to FORMAT         amb, alt, weights, safetensors or tinyruntime
  -o, --out FILE          the file to write; - for stdout
  -q, --quantize Q        left out: as the source stores it
                            none (float32); f16, bf16
                            amb: int8, int4, int5, int4block, int5block, adaptive; alt: int8, int4
                            weights: int8-row, int8-group
                            tinyruntime: dq8, dq8-symmetric, sq8
  -g, --group-size N      values that share a scale; 0: all of a tensor (amb)
  --scale-type T          fp16 or fp32: what amb stores scales as
  -b, --bits B            adaptive: average bits of a weight, for instance 4.5
  --calibrate DIR         sq8: a folder of pictures (*.jpg, *.png) like those to be classified
  --observer O            sq8: minmax (default), or histogram, which leaves out rare outliers
  --name NAME             what the file says as the model's name
  --verify                read FILE back and compare all values with the source's: per tensor the
                          largest error and the cosine, then the worst. Exit status 1 and no FILE
                          where a cosine is below ${leastCosine('none')} (none), ${leastCosine('f16')} (f16, bf16),
                          ${leastCosine('int8')} (8 bits, and left out), ${leastCosine('int5')} (5 bits), ${leastCosine('int4')} (4 bits, adaptive)
  --json                  one JSON object about the result, on stdout`,
  options: {
    ...CONVERT_OPTIONS,
    out: { type: 'string', short: 'o' },
    verify: { type: 'boolean' },
    json: { type: 'boolean' },
  },

  async run({ options, positionals, stdout, stderr }) {
    const inputs = somePositionals(positionals, 'IN');
    const settings = convertSettings(options);
    const out = requiredOption('out', options.out);
    if (options.verify && (out === '-' || inputs.includes('-'))) {
      throw new UsageError('--verify reads input and output again: neither can be -');
    }
    const pieces = convertWithProgress(inputs, settings, stderr);
    if (out === '-') {
      for await (const piece of pieces) await stdout.write(piece);
      return DONE;
    }

    const file = await AtomicFile.create(out);
    try {
      for await (const piece of pieces) await file.write(piece);
      await file.finishWriting();
      const verification = options.verify
        ? await verify(convertSource(inputs), settings, file.temporaryPath)
        : undefined;
      const failure = verification && failureOf(verification, settings);
      if (failure === undefined) await file.commit();
      else await file.discard();
      await report({ out, settings, verification, failure }, options.json === true, stdout);
      if (failure !== undefined) {
        await stderr.line(`quintet: ${failure}`);
        return CHECK_FAILED;
      }
      for (const input of inputs) await notePooling(input, stderr);
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
    yield* convert(convertSource(inputs), { ...options, onProgress });
  } finally {
    bar.clear();
  }
}

/** In words. A cosine that is not a number fails as well. */
function failureOf({ worst }: Verification, { to, quantize }: ConvertOptions): string | undefined {
  const least = leastCosine(quantize);
  if (worst.cosine >= least) return undefined;
  return `${to}: not verified, a cosine is ${worst.cosine.toFixed(6)}, below ${least}: ${worst.cosineTensor}`;
}

async function report(
  result: { out: string; settings: ConvertOptions; verification: Verification | undefined; failure: string | undefined },
  json: boolean,
  stdout: Output,
): Promise<void> {
  const { out, settings, verification, failure } = result;
  const bytes = failure === undefined ? (await stat(out)).size : undefined;
  if (json) return stdout.json({ out, to: settings.to, quantize: settings.quantize, bytes, ...verification });
  if (verification) await stdout.line(describeVerification(verification));
  if (bytes !== undefined) await stdout.line(`${out}: ${readableBytes(bytes)}`);
}
