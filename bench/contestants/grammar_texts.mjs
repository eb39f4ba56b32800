// Random texts that a grammar allows, and whether masks are right.
import { allows, unwrap } from './grammar_module.mjs';

const MAX_TOKENS = 250;
const TRIES = 300;
/** How often a token with a quotation mark or a line break is preferred: texts in JSON would hardly ever end otherwise. */
const CLOSING = 1 / 8;

/** Ids of tokens. */
export function randomText(tokens, { tokens: bytes, stop, random }) {
  const closing = bytes.flatMap((token, id) => (token.includes(0x22) || token.includes(0x0a) ? [id] : []));
  const matcher = tokens.begin();
  const text = [];
  while (text.length < MAX_TOKENS) {
    const mask = unwrap(matcher.mask());
    const token = chosenToken(mask, random, random() < CLOSING ? closing : undefined);
    text.push(token);
    unwrap(matcher.accept(token));
    if (token === stop) break;
  }
  matcher.delete();
  tokens.delete();
  return text;
}

function chosenToken(mask, random, preferred) {
  const below = (n) => Math.floor(random() * n);
  const size = mask.length * 32;
  for (let i = 0; i < TRIES; i++) {
    const token = preferred ? preferred[below(preferred.length)] : below(size);
    if (allows(mask, token)) return token;
  }
  // Few are allowed: the next one after a random place.
  const begin = below(size);
  for (let i = 0; i < size; i++) {
    const token = (begin + i) % size;
    if (allows(mask, token)) return token;
  }
  throw new Error('a mask without tokens');
}

/** At each place of the texts where one is `EVERY` tokens on. */
const EVERY = 9;
const TOKENS_A_PLACE = 300;

/**
 * Compares masks with what the recognizer says of single tokens, which it follows byte by byte: { checked, wrong },
 * numbers of tokens.
 */
export function wrongAnswers(tokens, texts, { tokens: bytes, random }) {
  let checked = 0;
  let wrong = 0;
  for (const text of texts) {
    for (let place = 0; place < text.length; place += EVERY) {
      const mask = at(tokens, text, place, (matcher) => unwrap(matcher.mask()).slice());
      for (let i = 0; i < TOKENS_A_PLACE; i++) {
        const token = Math.floor(random() * bytes.length);
        const accepted = at(tokens, text, place, (matcher) => matcher.accept(token)).ok;
        checked += 1;
        if (accepted !== allows(mask, token)) wrong += 1;
      }
    }
  }
  return { checked, wrong };
}

/** What `ask` answers for the matcher of the first tokens of a text. */
function at(tokens, text, place, ask) {
  const matcher = tokens.begin();
  for (const token of text.slice(0, place)) unwrap(matcher.accept(token));
  const answer = ask(matcher);
  matcher.delete();
  return answer;
}
