// Prompts for what stands between two texts: by special tokens, which differ from model to model.

import type { TextGenerator } from '../../../generate/text_generator.js';
import { unsupportedField } from '../api_error.js';

/** A family a row: the tokens before the prefix, the suffix and the middle. */
const families: readonly (readonly [prefix: string, suffix: string, middle: string])[] = [
  // Qwen2.5-Coder and Qwen3-Coder (technical report, section 3.1), CodeGemma (model card).
  ['<|fim_prefix|>', '<|fim_suffix|>', '<|fim_middle|>'],
  // StarCoder (arXiv 2305.06161, section 5), StarCoder2, Granite Code.
  ['<fim_prefix>', '<fim_suffix>', '<fim_middle>'],
  // DeepSeek-Coder (arXiv 2401.14196, section 3.1): the hole stands where the middle is missing.
  ['<｜fim▁begin｜>', '<｜fim▁hole｜>', '<｜fim▁end｜>'],
  // Code Llama (arXiv 2308.12950, section 2.3).
  ['▁<PRE>', '▁<SUF>', '▁<MID>'],
  // Codestral (mistral-common, tokens/tokenizers/instruct.py): the middle follows the prefix, which comes last.
  ['[PREFIX]', '[SUFFIX]', ''],
];

/** Token ids of a prompt whose continuation stands between `prefix` and `suffix`. */
export async function middlePrompt(generator: TextGenerator, prefix: string, suffix: string): Promise<number[]> {
  const written = async (text: string) => [...(await generator.tokenize(text, { addBos: false }))];
  const beginning = [...(await generator.tokenize(''))];
  for (const family of families) {
    const special = await tokensOf(generator, family);
    if (!special) continue;
    const before = [...special[0], ...(await written(prefix))];
    const after = [...special[1], ...(await written(suffix))];
    const parts = special[2].length > 0 ? [before, after] : [after, before];
    return [...beginning, ...parts.flat(), ...special[2]];
  }
  throw unsupportedField(
    'suffix',
    "'suffix' needs a model with tokens for filling in the middle, which this one has not",
  );
}

/** The ids of tokens, if they are special tokens of the model. */
async function tokensOf(generator: TextGenerator, texts: readonly [string, string, string]) {
  const ids: number[][] = [];
  for (const text of texts) {
    const tokens = await generator.tokenize(text, { addBos: false, parseSpecial: true });
    if (tokens.length !== Math.sign(text.length)) return undefined;
    ids.push([...tokens]);
  }
  return ids as [number[], number[], number[]];
}
