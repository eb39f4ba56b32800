// Prompts that ask for the text between two others, with special tokens that differ from model to model.

import { unsupported } from '../../base/errors.js';
import type { GeneratorBackend } from '../calls.js';
import type { InfillPrompt } from '../types.js';

/** A family a row: the tokens before the prefix, the suffix and the middle. */
const families: readonly (readonly [prefix: string, suffix: string, middle: string])[] = [
  // Qwen2.5-Coder and Qwen3-Coder (technical report, section 3.1), CodeGemma (model card).
  ['<|fim_prefix|>', '<|fim_suffix|>', '<|fim_middle|>'],
  // StarCoder (arXiv 2305.06161, section 5), StarCoder2, Granite Code.
  ['<fim_prefix>', '<fim_suffix>', '<fim_middle>'],
  // DeepSeek-Coder (arXiv 2401.14196, section 3.1): the hole token is in place of the middle.
  ['<｜fim▁begin｜>', '<｜fim▁hole｜>', '<｜fim▁end｜>'],
  // Code Llama (arXiv 2308.12950, section 2.3).
  ['▁<PRE>', '▁<SUF>', '▁<MID>'],
  // Codestral (mistral-common, tokens/tokenizers/instruct.py): the middle follows the prefix, which comes last.
  ['[PREFIX]', '[SUFFIX]', ''],
];

/** Token ids of a prompt whose continuation belongs between `prefix` and `suffix`. */
export async function middleIds(backend: GeneratorBackend, { prefix, suffix }: InfillPrompt): Promise<Int32Array> {
  const written = (text: string, parseSpecial = false) => backend.call('tokenize', [text, false, parseSpecial]);
  const beginning = await backend.call('tokenize', ['', true, false]);
  for (const family of families) {
    const special = await Promise.all(family.map((text) => written(text, true)));
    // A text that is not a special token becomes several tokens.
    if (special.some(({ length }, i) => length !== Math.sign(family[i]!.length))) continue;
    const [beforePrefix, beforeSuffix, beforeMiddle] = special as [Int32Array, Int32Array, Int32Array];
    const before = [...beforePrefix, ...(await written(prefix))];
    const after = [...beforeSuffix, ...(await written(suffix))];
    const parts = beforeMiddle.length > 0 ? [before, after] : [after, before];
    return Int32Array.from([...beginning, ...parts.flat(), ...beforeMiddle]);
  }
  throw unsupported('generate: this model has no tokens for filling in the middle');
}
