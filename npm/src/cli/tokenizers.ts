// The tokenizer of a model's file or folder, of whatever kind.
import { inspect, TextGenerator, type ModelSource } from '../node.js';
import { modelFolder, tokenizerFolder } from '../node_model_folder.js';
import { tokenizerOf, tokenizerOfFolder } from '../tokenizer_file.js';
import type { OptionValues } from './command.js';
import { loadEmbedder, modelPath, type MODEL_OPTIONS } from './model_options.js';
import type { Output } from './output.js';
import { stdinBytes } from './sources.js';

export interface ModelTokenizer {
  tokenize(text: string): Promise<{ ids: number[]; tokens: string[] }>;
  close(): void;
}

/** What all models that tokenize have. */
interface Tokenizing {
  tokenize(text: string): Promise<Int32Array> | Int32Array;
  tokens(ids: Int32Array): Promise<string[]> | string[];
  close(): void;
}

export async function openTokenizer(
  options: OptionValues<typeof MODEL_OPTIONS>,
  stderr: Output,
): Promise<ModelTokenizer> {
  const model = await openModel(options, stderr);
  return {
    async tokenize(text) {
      const ids = await model.tokenize(text);
      return { ids: Array.from(ids), tokens: await model.tokens(ids) };
    },
    close: () => model.close(),
  };
}

async function openModel(options: OptionValues<typeof MODEL_OPTIONS>, stderr: Output): Promise<Tokenizing> {
  const path = await modelPath(options);
  const tokenizer = path === '-' ? undefined : await tokenizerFolder(path);
  if (tokenizer) return tokenizerOfFolder(tokenizer);
  const folder = path === '-' ? undefined : await modelFolder(path);
  if (folder) {
    const generator = await TextGenerator.load(folder);
    return { ...bound(generator), tokens: (ids) => generator.tokens(Array.from(ids)) };
  }
  const source: ModelSource = path === '-' ? await stdinBytes() : path;
  if ((await inspect(source)).format !== 'weights') return tokenizerOf(source);
  const embedder = await loadEmbedder(options, stderr, source);
  return { ...bound(embedder), tokens: (ids) => embedder.tokens(Array.from(ids)) };
}

function bound(model: Pick<TextGenerator, 'tokenize' | 'close'>): Pick<Tokenizing, 'tokenize' | 'close'> {
  return { tokenize: (text) => model.tokenize(text), close: () => model.close() };
}
