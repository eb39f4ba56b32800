// Upper and lower case, and kinds of characters.

import type { Builtin } from '../arguments.js';
import { spend } from '../limits.js';
import { characters, concat, join, type Text } from '../text.js';

type Method = Builtin<[Text]>;

const upper = (value: string) => value.toUpperCase();
const lower = (value: string) => value.toLowerCase();
/** The title case of a single character. A few have a form that is neither of the others: ǅ for ǆ and Ǆ. */
const title = (value: string) => titleCase[value.toLowerCase()] ?? (value === 'ß' ? 'Ss' : upper(value));
const titleCase: Record<string, string> = {
  ǆ: 'ǅ',
  ǉ: 'ǈ',
  ǌ: 'ǋ',
  ǳ: 'ǲ',
  ﬁ: 'Fi',
  ﬂ: 'Fl',
  ﬀ: 'Ff',
  ﬃ: 'Ffi',
  ﬄ: 'Ffl',
  ﬅ: 'St',
  ﬆ: 'St',
};

/** The first character as a title, the others in lower case. */
export function capitalized(self: Text): Text {
  const size = String.fromCodePoint(self.value.codePointAt(0) ?? 0).length;
  return concat(self.slice(0, size).map(title), self.slice(size).map(lower));
}

const isCased = (character: string) => /\p{Cased}/u.test(character);

/** str.title(): a word begins after each character without case. */
function titled(self: Text): Text {
  let isInside = false;
  return join(
    characters(self).map((each) => {
      const result = each.map(isInside ? lower : title);
      isInside = isCased(each.value);
      return result;
    }),
  );
}

const swapped = (value: string) => (value === lower(value) ? upper(value) : lower(value));

export const caseMethods: Record<string, Method> = {
  upper: ['', (self) => self.map(upper)],
  lower: ['', (self) => self.map(lower)],
  casefold: ['', (self) => self.map((value) => lower(value).replaceAll('ß', 'ss').replaceAll('ς', 'σ'))],
  swapcase: ['', (self) => join(characters(self).map((each) => each.map(swapped)))],
  title: ['', titled],
};

const every = (pattern: RegExp): Method => ['', (self) => pattern.test(self.value)];

export const isLower = (value: string) =>
  /\p{Cased}/u.test(value) && !/[\p{Lu}\p{Lt}]/u.test(value) && value === lower(value);
export const isUpper = (value: string) =>
  /\p{Cased}/u.test(value) && !/[\p{Ll}\p{Lt}]/u.test(value) && value === upper(value);

function isTitle(value: string): boolean {
  spend(value.length);
  let isInside = false;
  let found = false;
  for (const each of value) {
    const cased = isCased(each);
    if (cased && isInside !== (each === lower(each) && !/\p{Lt}/u.test(each))) return false;
    found ||= cased;
    isInside = cased;
  }
  return found;
}

export const classMethods: Record<string, Method> = {
  isalnum: every(/^[\p{L}\p{Decimal_Number}\p{Nl}\p{No}]+$/u),
  isalpha: every(/^\p{L}+$/u),
  isascii: every(/^[\0-\x7f]*$/),
  isdecimal: every(/^\p{Decimal_Number}+$/u),
  isdigit: every(/^[\p{Decimal_Number}²³¹⁰⁴-⁹₀-₉①-⑨]+$/u),
  isnumeric: every(/^\p{N}+$/u),
  isidentifier: every(/^[\p{ID_Start}_]\p{ID_Continue}*$/u),
  isprintable: every(/^(?:[^\p{C}\p{Zl}\p{Zp}\p{Zs}]| )*$/u),
  isspace: every(/^[\t-\r\x1c- \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/),
  islower: ['', (self) => isLower(self.value)],
  isupper: ['', (self) => isUpper(self.value)],
  istitle: ['', (self) => isTitle(self.value)],
};
