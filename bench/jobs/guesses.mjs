// Texts that are written with guessed tokens and without, by a model of random weights. Such a model neither quotes nor
// fills in forms, so grammars and biases determine its output; only the passes, which are measured, are its own.
import { promptIds } from './decoding.mjs';

/** Spaces are single tokens, and words of three letters, with a space before them too. */
const WORDS = '[a-z]{3}( [a-z]{3}){8}';
const FIELDS = ['name', 'street', 'city', 'reason', 'details', 'wish'];

/** Half of the tokens of such a form are in its values. docs/generation.md has the share in real ones. */
export const FORM_SCHEMA = {
  type: 'object',
  properties: Object.fromEntries(FIELDS.map((field) => [field, { type: 'string', pattern: `^${WORDS}$` }])),
  required: FIELDS,
};

/** The runs of the prompt's tokens in an answer that quotes, and the other tokens between them. */
const QUOTED = 24;
const OWN = 6;

/**
 * Two tokens that no text has otherwise. The grammar allows the second as an alternative to each token, and the bias
 * forbids it.
 */
const [FIRST_OTHER, FORBIDDEN] = [301, 300];

/** { ids, grammar, bias, tokens }: an answer of token ids of which most follow one another in the prompt. */
export function quotingAnswer(vocabulary) {
  const ids = promptIds(vocabulary, 160);
  const answer = [];
  for (let at = 8; at + QUOTED <= ids.length; at += QUOTED) {
    answer.push(...ids.slice(at, at + QUOTED));
    for (let i = 0; i < OWN; i++) answer.push(FIRST_OTHER + answer.length);
  }
  const steps = answer.map((id) => `(<[${id}]> | <[${FORBIDDEN}]>)`);
  return { ids, grammar: `root ::= ${steps.join(' ')}`, bias: { [FORBIDDEN]: -Infinity }, tokens: answer.length };
}

/** The longest token that fits: texts are written in few tokens, as models write them. `texts`: of all ids. */
export const biasToLongTokens = (texts) =>
  Object.fromEntries(texts.map((text, id) => [id, 20 * (/^[\u2581a-z]+$/.test(text) ? text.length : 0)]));
