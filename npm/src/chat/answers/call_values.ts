// The places of a call's values while it is written: the text of a marker may be part of one.

/** Follows the text of one call. */
export interface CallValues {
  /** Reads the next piece. Each piece is read once. */
  add(text: string): void;
  /** Whether a marker at the end of the text so far is part of a value. */
  readonly isOpen: boolean;
  /** The call is malformed: its values cannot be located. */
  readonly isBroken: boolean;
  /** Whether a value cannot contain text that reads as another call. */
  readonly areEscaped: boolean;
}

/** In strings of JSON there are no line breaks, and quotes of the calls in them have backslashes. */
export const jsonStrings = (): CallValues => new Strings(/\\[^]|["\n]/g, true);

/** A quote at the end may be the beginning of three. Comments have no strings. */
export const pythonStrings = (): CallValues => new Strings(/\\[^]|'''|"""|(['"])(?!\1?$)|[#\n]/g, false);

/** In strings of Gemma 4 nothing is escaped. */
export const gemmaStrings = (): CallValues => new Strings(/<\|"\|>/g, false, /<(?:\|(?:"\|?)?)?$/);

class Strings implements CallValues {
  isBroken = false;
  /** The mark that began the string or the comment. */
  private quote = '';
  /** The end of the text, which may be half of a token. */
  private left = '';

  constructor(
    private readonly tokens: RegExp,
    readonly areEscaped: boolean,
    private readonly partial = /(?:\\|(['"])\1?)$/,
  ) {}

  get isOpen(): boolean {
    return this.quote !== '' && this.quote !== '#';
  }

  add(text: string): void {
    const source = this.left + text;
    let read = 0;
    for (const { 0: token, index } of source.matchAll(this.tokens)) {
      read = index + token.length;
      if (!token.startsWith('\\')) this.take(token);
    }
    this.left = this.partial.exec(source.slice(read))?.[0] ?? '';
  }

  private take(token: string): void {
    const { quote } = this;
    if (quote === '') this.quote = token === '\n' ? '' : token;
    else if (quote === '#' ? token === '\n' : token === quote || token[0] === quote) this.quote = '';
    else if (token === '\n' && this.areEscaped) this.isBroken = true;
  }
}

/** The beginning and the end of a call, without white space. A call within a value has both. */
const boundaries = /<tool_call><function=|<\/(?:function|parameter)><\/tool_call>/g;
const longest = '</parameter></tool_call>'.length;
const opening = '<function=';

/**
 * Values between tags, of Qwen3-Coder. Nothing is escaped in them, so their end is ambiguous. Here </tool_call> ends
 * the call after </function> or </parameter>, unless it ends a whole call that is part of a value.
 */
export const taggedValues = (): CallValues => new TaggedValues();

class TaggedValues implements CallValues {
  isOpen = true;
  isBroken = false;
  readonly areEscaped = false;
  private depth = 0;
  private left = '';
  private isOpened = false;

  add(text: string): void {
    const source = this.left + text.replace(/\s+/g, '');
    if (!this.isOpened) {
      this.isBroken = !source.startsWith(opening.slice(0, source.length));
      this.isOpened = source.length >= opening.length;
    }
    let read = 0;
    for (const { 0: token, index } of source.matchAll(boundaries)) {
      read = index + token.length;
      this.depth += token.startsWith('</') ? -1 : 1;
    }
    this.isOpen = this.depth >= 0;
    this.left = source.slice(Math.max(read, source.length - longest));
  }
}
