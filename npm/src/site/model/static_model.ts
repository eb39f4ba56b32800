// A static embedding as a model of words: that of quintet-models, or any of model2vec or sentence-transformers.

import { QuintetError } from '../../base/errors.js';
import type { ModelInput } from '../../base/types.js';
import { openSafetensorsIn } from '../../safetensors/file.js';
import type { SafetensorsFile } from '../../safetensors/types.js';
import { wordsOf } from '../../search/keywords/words.js';
import { fetchSeekable } from '../../sources/bytes/http_ranges.js';
import { locate } from '../../sources/locate.js';
import { openModelFile } from '../../sources/open_files.js';
import type { ModelFile, Reader } from '../../sources/types.js';
import { Tokenizer } from '../../tokenize/tokenizer.js';
import { EmbeddingTable } from './embedding_table.js';
import type { WordModel } from './word_model.js';

const reader: Reader = { who: 'buildSite', kinds: ['safetensors'], own: [], hasModules: true };

/** More than a query would use, and few enough that their vectors are soon computed. */
const maxFrequentWords = 60_000;

/**
 * Loads a static embedding: a folder by its path or its files, or a name of the Hub (`hf:minishlab/potion-base-8M`).
 * @throws QuintetError FORMAT if the model is not a static embedding; IO, INPUT, UNSUPPORTED, ABORTED
 */
export async function loadStaticModel(source: ModelInput, name: string, signal?: AbortSignal): Promise<WordModel> {
  const files = await locate(source, reader, { signal });
  const weights = files.find((file) => file.name.endsWith('model.safetensors'));
  const tokens = files.find((file) => file.name.endsWith('tokenizer.json'));
  if (!weights || !tokens)
    throw new QuintetError('INPUT', `${name} needs model.safetensors and tokenizer.json`, { reason: 'missing' });
  const file = await openSafetensorsIn(await openModelFile(weights, signal, [], fetchSeekable), signal);
  try {
    const table = await EmbeddingTable.open(file);
    const tokenizer = await Tokenizer.load({ 'tokenizer.json': await sourceOf(tokens, signal) }, signal && { signal });
    return new StaticModel(name, file, table, tokenizer);
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** A file of the Hub is opened with its own checks, then handed on as bytes. */
async function sourceOf(file: ModelFile, signal: AbortSignal | undefined) {
  if (!file.hub) return file.source;
  const opened = await openModelFile(file, signal, []);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  try {
    for (let part; (part = await opened.read()); ) parts.push(part.slice());
  } finally {
    await opened.close();
  }
  return new Blob(parts);
}

class StaticModel implements WordModel {
  readonly fingerprint: string;
  readonly dimension: number;
  readonly frequentWords: readonly string[];

  constructor(
    readonly name: string,
    private readonly file: SafetensorsFile,
    private readonly table: EmbeddingTable,
    private readonly tokenizer: Tokenizer,
  ) {
    this.fingerprint = table.fingerprint;
    this.dimension = table.dimension;
    this.frequentWords = wholeWords(tokenizer);
  }

  async vectorsOf(words: readonly string[]): Promise<Float32Array> {
    const { unk } = this.tokenizer.special;
    const ids: number[] = [];
    const targets: number[] = [];
    words.forEach((word, i) => {
      for (const id of this.tokenizer.encode(word, { addSpecial: false })) {
        if (id === unk) continue;
        ids.push(id);
        targets.push(i);
      }
    });
    const sums = new Float32Array(words.length * this.dimension);
    await this.table.add(ids, targets, sums);
    return sums;
  }

  close(): void {
    this.tokenizer.close();
    void this.file.close();
  }
}

/** Tokens that are words. Vocabularies list the frequent ones first. */
function wholeWords(tokenizer: Tokenizer): string[] {
  // WordPiece marks what continues a word (##), the others what begins one.
  const isMarked = tokenizer.type !== 'WordPiece';
  const words = new Set<string>();
  for (let id = 0; id < tokenizer.size && words.size < maxFrequentWords; ++id) {
    const token = tokenizer.token(id);
    if (isMarked !== /^[\u2581\u0120]/.test(token) || /^(##|\[|<)/.test(token)) continue;
    const word = isMarked ? token.slice(1) : token;
    const [only, ...rest] = wordsOf(word);
    if (only !== undefined && rest.length === 0) words.add(only);
  }
  return [...words];
}
