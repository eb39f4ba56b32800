// The rare methods of strings, except those that format.

import type { Builtin } from '../../arguments.js';
import { isNumber } from '../../compare.js';
import { renderError } from '../../errors.js';
import { integerArgument } from '../../operators.js';
import { requireText } from '../../printing.js';
import { characters, concat, countCharacters, emptyText, join, type Text, text } from '../../text.js';
import { Dict, type Value } from '../../values.js';
import { pad } from './text_layout.js';

type Method = Builtin<[Text]>;

const justifying = (side: 'left' | 'right' | 'both'): Method => [
  'width fillchar?',
  (self, width: Value, fillchar?: Value) => {
    const filler = fillchar === undefined ? text(' ') : requireText(fillchar, 'fillchar');
    if (countCharacters(filler.value) !== 1) throw renderError('fillchar must be one character');
    return pad(self, integerArgument(width, 'width', 0), side, filler);
  },
];

export const textMethods: Record<'center' | 'ljust' | 'rjust' | 'zfill' | 'expandtabs' | 'translate', Method> = {
  center: justifying('both'),
  ljust: justifying('left'),
  rjust: justifying('right'),
  zfill: [
    'width',
    (self, width: Value) => {
      const sign = /^[-+]/.test(self.value) ? 1 : 0;
      const columns = integerArgument(width, 'width', 0) - sign;
      return concat(self.slice(0, sign), pad(self.slice(sign), columns, 'right', text('0')));
    },
  ],
  expandtabs: [
    'tabsize?',
    (self, tabsize?: Value) => {
      const size = integerArgument(tabsize, 'tabsize', 8);
      let column = 0;
      return join(
        characters(self).map((each) => {
          if (each.value === '\t') {
            const columns = size > 0 ? size - (column % size) : 0;
            column += columns;
            return pad(emptyText, columns, 'left', text(' '));
          }
          column = each.value === '\n' || each.value === '\r' ? 0 : column + 1;
          return each;
        }),
      );
    },
  ],
  translate: [
    'table',
    (self, table: Value) => {
      if (!(table instanceof Dict)) throw renderError('translate needs a dict');
      return join(
        characters(self).map((each) => {
          const value = table.get(BigInt(each.value.codePointAt(0)!));
          if (value === undefined) return each;
          if (value === null) return emptyText;
          return isNumber(value)
            ? text(String.fromCodePoint(Number(value)))
            : requireText(value, 'a value of the table');
        }),
      );
    },
  ],
};
