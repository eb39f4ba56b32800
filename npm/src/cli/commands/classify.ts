import { readFile } from 'node:fs/promises';
import { inputError, ioError, messageOf, QuintetError } from '../../base/errors.js';
import type { ImageClassifier } from '../../index.js';
import { defineCommand } from '../command.js';
import { DONE, UsageError } from '../ending.js';
import { countOption } from '../options/arguments.js';
import { CLASSIFIER_OPTIONS, loadClassifier } from '../options/classifier_options.js';
import { exactPositionals, somePositionals } from '../options/positionals.js';
import { ClassReport } from '../output/class_report.js';
import { readNpy } from '../output/npy_input.js';
import { stdinBytes } from '../output/sources.js';

const DEFAULT_CLASSES = 5;

export default defineCommand({
  usage: ['classify IMAGE... [options]', 'classify --tensor X.npy [options]'],
  description: `Shows the most likely classes of each image, with their scores. IMAGE is a JPEG or PNG file, or -
for stdin.`,
  options: {
    ...CLASSIFIER_OPTIONS,
    'top-k': { type: 'string', short: 'k', value: 'N', help: `number of classes to show; default ${DEFAULT_CLASSES}` },
    tensor: {
      type: 'string',
      value: 'X.npy',
      help: 'classify a prepared input instead: float32 [3, height, width] or [1, 3, height, width]; - for stdin',
    },
    logits: { type: 'boolean', help: "show the network's raw output, one number per class, instead of scores" },
    json: {
      type: 'boolean',
      help:
        'print one JSON line per image: {"image", "results": [{"index", "label", "score"}]}, or with --logits ' +
        '{"image", "logits"}; a prepared input has "tensor" instead of "image"',
    },
  },
  examples: ['quintet classify photo.jpg', 'quintet classify *.jpg --model resnet18.bin --labels imagenet.txt -k 3'],

  async run({ options, positionals, stdout, stderr }) {
    const count = countOption('top-k', options['top-k']) ?? DEFAULT_CLASSES;
    if (options.logits && options['top-k'] !== undefined)
      throw new UsageError('--top-k and --logits cannot be used together');
    const inputs = inputsOf(options.tensor, positionals);
    refuseSharedStdin([options.model, ...inputs.map(({ path }) => path)]);
    const classifier = await loadClassifier(options, stderr);
    const { labels } = classifier;
    const { logits = false, json = false } = options;
    const report = new ClassReport({ labels, count, logits, json }, stdout);
    for (const input of inputs) await report.add(input.kind, input.path, await logitsOf(classifier, input));
    classifier.close();
    return DONE;
  },
});

interface Input {
  kind: 'image' | 'tensor';
  /** - for stdin. */
  path: string;
}

function inputsOf(tensor: string | undefined, positionals: string[]): Input[] {
  if (tensor === undefined) return somePositionals(positionals, 'IMAGE').map((path) => ({ kind: 'image', path }));
  exactPositionals(positionals);
  return [{ kind: 'tensor', path: tensor }];
}

function refuseSharedStdin(users: (string | undefined)[]): void {
  if (users.filter((argument) => argument === '-').length > 1) {
    throw new UsageError('only one of the model and the inputs can be stdin');
  }
}

/** An error names the file. */
async function logitsOf(classifier: ImageClassifier, { kind, path }: Input): Promise<Float32Array> {
  try {
    const bytes = path === '-' ? await stdinBytes() : await fileBytes(path);
    if (kind === 'image') return await classifier.logits(bytes);
    const { shape, values } = readNpy(bytes);
    return await classifier.logits(values, inputShape(shape));
  } catch (error) {
    if (!(error instanceof QuintetError) || error.code === 'IO') throw error;
    const { code, message, ...details } = error;
    throw new QuintetError(code, `${path}: ${message}`, details);
  }
}

async function fileBytes(path: string): Promise<Uint8Array> {
  return readFile(path).catch((error: unknown) => {
    throw ioError('read_failed', `cannot read ${path}: ${messageOf(error)}`, error);
  });
}

/** A batch of one may have a dimension for it. */
function inputShape(shape: readonly number[]): [number, number, number] {
  const [channels, height, width, ...more] = shape.length === 4 && shape[0] === 1 ? shape.slice(1) : shape;
  if (channels !== undefined && height !== undefined && width !== undefined && more.length === 0) {
    return [channels, height, width];
  }
  throw inputError(
    'mismatch',
    `the shape must be [3, height, width] or [1, 3, height, width], not [${shape.join(', ')}]`,
  );
}
