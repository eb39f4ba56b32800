// Prompts for what stands between two texts: by special tokens, which differ from model to model.

import type { TextGenerator } from '../../generate/text_generator.js';
import { unsupportedField } from '../api_error.js';

/** The tokens of a family, and the order of the parts. */
interface MiddleTokens {
  prefix: string;
  suffix: string;
  middle: string;
  suffixFirst?: true;
}

const families: readonly MiddleTokens[] = [
  // Qwen2.5-Coder and Qwen3-Coder (technical report, section 3.1), CodeGemma (model card).
  { prefix: '<|fim_prefix|>', suffix: '<|fim_suffix|>', middle: '<|fim_middle|>' },
  // StarCoder (arXiv 2305.06161, section 5), StarCoder2, Granite Code.
  { prefix: '<fim_prefix>', suffix: '<fim_suffix>', middle: '<fim_middle>' },
  // DeepSeek-Coder (arXiv 2401.14196, section 3.1): the hole stands where the middle is missing.
  { prefix: '<｜fim▁begin｜>', suffix: '<｜fim▁hole｜>', middle: '<｜fim▁end｜>' },
  // Code Llama (arXiv 2308.12950, section 2.3).
  { prefix: '▁<PRE>', suffix: '▁<SUF>', middle: '▁<MID>' },
  // Codestral (mistral-common, tokens/tokenizers/instruct.py): the middle follows the prefix.
  { prefix: '[PREFIX]', suffix: '[SUFFIX]', middle: '', suffixFirst: true },
];

/** Token ids of a prompt whose continuation stands between `prefix` and `suffix`. */
export async function middlePrompt(generator: TextGenerator, prefix: string, suffix: string): Promise<number[]> {
  const written = async (text: string) => [...(await generator.tokenize(text, { addBos: false }))];
  const beginning = [...(await generator.tokenize(''))];
  for (const family of families) {
    const special = await tokensOf(generator, family);
    if (!special) continue;
    const before = [...special.prefix, ...(await written(prefix))];
    const after = [...special.suffix, ...(await written(suffix))];
    const parts = family.suffixFirst ? [after, before] : [before, after];
    return [...beginning, ...parts.flat(), ...special.middle];
  }
  throw unsupportedField(
    'suffix',
    "'suffix' needs a model with tokens for filling in the middle, which this one has not",
  );
}

/** The ids of a family's tokens, if they are special tokens of the model. */
async function tokensOf(generator: TextGenerator, { prefix, suffix, middle }: MiddleTokens) {
  const special = async (text: string) => {
    if (text === '') return [];
    const ids = [...(await generator.tokenize(text, { addBos: false, parseSpecial: true }))];
    return ids.length === 1 ? ids : undefined;
  };
  const ids = { prefix: await special(prefix), suffix: await special(suffix), middle: await special(middle) };
  return ids.prefix && ids.suffix && ids.middle
    ? { prefix: ids.prefix, suffix: ids.suffix, middle: ids.middle }
    : undefined;
}
