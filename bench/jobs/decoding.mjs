// The jobs of every contestant of text generation: it reads a prompt and continues it, always with the most probable
// token; or it writes a text that is constrained by a grammar.
export const PROMPT_TOKENS = 128;
export const ANSWER_TOKENS = 64;

const BOS = 1;
/** Ids below are control tokens, bytes and single letters. */
const FIRST_WORD = 300;

export function promptIds(vocabulary, count = PROMPT_TOKENS) {
  const ids = [BOS];
  let state = 5;
  while (ids.length < count) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    ids.push(FIRST_WORD + Math.floor((state / 2 ** 32) * (vocabulary - FIRST_WORD)));
  }
  return ids;
}

/** An object of four lists and texts, as a grammar that all contestants read. */
export const GRAMMAR = `root ::= "{" pair ("," pair){3} "}"
pair ::= "\\"" [a-z]{2,8} "\\":" value
value ::= "[" number ("," number){2} "]" | "\\"" [a-z ]{8,24} "\\""
number ::= [1-9] [0-9]{0,2}
`;

/** More tokens than any text of the grammar has. */
export const MAX_TOKENS = 250;

const NUMBER = '[1-9][0-9]{0,2}';
const PAIR = `"[a-z]{2,8}":(\\[${NUMBER}(,${NUMBER}){2}\\]|"[a-z ]{8,24}")`;
const FORM = new RegExp(`^\\{${PAIR}(,${PAIR}){3}\\}$`);

/** Whether a text matches the grammar. */
export const isOfGrammar = (text) => FORM.test(text);
