import { stat } from 'node:fs/promises';
import { type ConvertOptions, convert } from '../../index.js';
import { defineCommand } from '../command.js';
import { CHECK_FAILED, DONE, UsageError } from '../ending.js';
import { calibrationImages } from '../models/calibration_folder.js';
import { type ClassAgreement, classAgreement, describeAgreement } from '../models/class_agreement.js';
import { convertSource } from '../models/model_files.js';
import { describeVerification, leastCosine, type Verification, verify } from '../models/verification.js';
import { requiredOption } from '../options/arguments.js';
import { CONVERT_OPTIONS, convertSettings } from '../options/convert_settings.js';
import { readableBytes } from '../options/numbers.js';
import { somePositionals } from '../options/positionals.js';
import { AtomicFile } from '../output/atomic_file.js';
import type { Output } from '../output/output.js';
import { ProgressBar } from '../output/progress_bar.js';

// Each window of a convolution is quantized as the network runs, and the products of float32 layers are fewer
// (Winograd); bench/results/README.md, "Image classification".
const slowerThanFloats =
  'dq8 saves memory, not time: ResNet-18 takes about 1.35 times as long as in float32; sq8 is faster than both';

export default defineCommand({
  usage: ['convert IN... --to FORMAT --out FILE [options]'],
  description: `Converts a model file, or a Hugging Face folder (config.json; tokenizer.json, tokenizer.model or
vocab.txt; *.safetensors, sharded or not), whose files may also be given one by one. Text
generators (Llama, Mistral, Qwen, OLMo 2 and Phi; GGUF too) become amb or alt, BERT sentence
embedders weights, ResNets with torchvision's names tinyruntime; every model can become
safetensors. FILE is written completely or not at all.`,
  options: {
    ...CONVERT_OPTIONS,
    out: { type: 'string', short: 'o', value: 'FILE', help: 'file to write; - for stdout' },
    verify: {
      type: 'boolean',
      help:
        'read FILE back and compare every tensor with the source; exit status 1 and no FILE if a cosine is below ' +
        `${leastCosine('none')} (none), ${leastCosine('f16')} (f16, bf16), ${leastCosine('int8')} (8 bits, and without ` +
        `--quantize), ${leastCosine('int5')} (5 bits) or ${leastCosine('int4')} (4 bits, adaptive)`,
    },
    json: {
      type: 'boolean',
      help:
        'print one JSON object: {"out", "to", "quantize", "bytes"}, and with --verify "tensors", a list of {"tensor", ' +
        '"maxError", "cosine"}, and "worst", with {"maxError", "maxErrorTensor", "cosine", "cosineTensor"}; with ' +
        '--calibrate also "agreement", with {"pictures", "best", "top5"}',
    },
  },
  notes: `Values of --quantize:
  all formats   none (float32); f16 and bf16 (alt: f16 only; not tinyruntime)
  amb           int8, int4, int5, int4block, int5block, adaptive
  alt           int8, int4
  weights       int8-row, int8-group
  tinyruntime   dq8, dq8-symmetric, sq8`,
  examples: [
    'quintet convert all-MiniLM-L6-v2/ --to weights --quantize int8-row --verify --out minilm.weights',
    'quintet convert model.gguf --to amb --quantize int4block --out model.amb',
    'quintet convert TinyLlama/ --merge pirate-lora/ --to amb --quantize int8 --out pirate.amb',
  ],
  renamed: { '-t': '--to' },

  async run({ options, positionals, stdout, stderr }) {
    const inputs = somePositionals(positionals, 'IN');
    const settings = convertSettings(options);
    // Only sq8 needs the pictures for the conversion.
    if (options.verify && settings.quantize !== 'sq8') delete settings.calibration;
    const out = requiredOption('out', options.out);
    if (options.verify && (out === '-' || inputs.includes('-'))) {
      throw new UsageError('--verify reads the input and the output again: neither can be -');
    }
    if (options.verify && options.merge) {
      throw new UsageError('--verify compares with the source, from which --merge makes other weights');
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
      const agreement =
        verification && options.calibrate !== undefined
          ? await classAgreement(convertSource(inputs), file.temporaryPath, calibrationImages(options.calibrate))
          : undefined;
      if (failure === undefined) await file.commit();
      else await file.discard();
      await report({ out, settings, verification, agreement, failure }, options.json === true, stdout);
      if (failure !== undefined) {
        await stderr.line(`quintet: ${failure}`);
        return CHECK_FAILED;
      }
      if (settings.quantize?.startsWith('dq8')) await stderr.line(slowerThanFloats);
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

/** Why the verification failed. A cosine that is not a number fails as well. */
function failureOf({ worst }: Verification, { to, quantize }: ConvertOptions): string | undefined {
  const least = leastCosine(quantize);
  if (worst.cosine >= least) return undefined;
  return `${to}: verification failed: the cosine of ${worst.cosineTensor} is ${worst.cosine.toFixed(6)}, below ${least}`;
}

async function report(
  result: {
    out: string;
    settings: ConvertOptions;
    verification: Verification | undefined;
    agreement: ClassAgreement | undefined;
    failure: string | undefined;
  },
  json: boolean,
  stdout: Output,
): Promise<void> {
  const { out, settings, verification, agreement, failure } = result;
  const bytes = failure === undefined ? (await stat(out)).size : undefined;
  if (json)
    return stdout.json({ out, to: settings.to, quantize: settings.quantize, bytes, ...verification, agreement });
  if (verification) await stdout.line(describeVerification(verification));
  if (agreement) await stdout.line(describeAgreement(agreement));
  if (bytes !== undefined) await stdout.line(`${out}: ${readableBytes(bytes)}`);
}
