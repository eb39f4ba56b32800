import { readFile } from 'node:fs/promises';
import { DONE, UsageError } from '../ending.js';
import { inputError, ioError, messageOf, QuintetError } from '../../base/errors.js';
import type { ImageClassifier } from '../../index.js';
import { countOption } from '../options/arguments.js';
import { ClassReport } from '../output/class_report.js';
import { CLASSIFIER_HELP, CLASSIFIER_OPTIONS, loadClassifier } from '../options/classifier_options.js';
import { defineCommand } from '../command.js';
import { readNpy } from '../output/npy_input.js';
import { exactPositionals, somePositionals } from '../options/positionals.js';
import { stdinBytes } from '../output/sources.js';

const DEFAULT_CLASSES = 5;

export default defineCommand({
  help: `Usage: quintet classify IMAGE... [options]

What pictures show: the likeliest classes of each, with their scores. IMAGE is a JPEG or PNG file;
- for stdin.

${CLASSIFIER_HELP}
  -k, --top-k N           classes to show; default ${DEFAULT_CLASSES}
  --tensor X.npy          instead of IMAGE: a prepared input, float32 [3, height, width] or
                          [1, 3, height, width]; - for stdin
  --logits                the network's own numbers, one a class, instead of scores
  --json                  one JSON line per picture: {"image", "results": [{"index", "label",
                          "score"}]}; with --logits {"image", "logits"}`,
  options: {
    ...CLASSIFIER_OPTIONS,
    'top-k': { type: 'string', short: 'k' },
    tensor: { type: 'string' },
    logits: { type: 'boolean' },
    json: { type: 'boolean' },
  },

  async run({ options, positionals, stdout, stderr }) {
    const count = countOption('top-k', options['top-k']) ?? DEFAULT_CLASSES;
    if (options.logits && options['top-k'] !== undefined) throw new UsageError('--top-k does not go with --logits');
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
    throw new UsageError('stdin can be only one of the model and the inputs');
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

/** A batch of one may be marked as such. */
function inputShape(shape: readonly number[]): [number, number, number] {
  const [channels, height, width, ...more] = shape.length === 4 && shape[0] === 1 ? shape.slice(1) : shape;
  if (channels !== undefined && height !== undefined && width !== undefined && more.length === 0) {
    return [channels, height, width];
  }
  throw inputError('mismatch', `an input is [3, height, width] or [1, 3, height, width], not [${shape.join(', ')}]`);
}
