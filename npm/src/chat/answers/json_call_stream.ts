// Streams tool calls whose arguments are JSON, as they are written.

import { CallStream, type StreamCalls } from './call_stream.js';
import type { CallReading } from './reading.js';

/** { "name": …, "arguments": {…} }, alone or in a list. Members in another order are read at the end of the call. */
const jsonHead =
  /^(?:\s*,\s*"id"\s*:\s*"[^"\\]*")?[\s}\],;[]*\{\s*(?:"type"\s*:\s*"function"\s*,\s*)?"name"\s*:\s*"(?<name>[^"\\]+)"\s*,\s*(?:"id"\s*:\s*"(?<id>[^"\\]*)"\s*,\s*)?"(?:arguments|parameters)"\s*:\s*(?=\{)/;
const mistralHead = /^\s*(?:\[TOOL_CALLS\]\s*)?(?<name>[\w.-]+)(?:\[CALL_ID\](?<id>\w+))?\[ARGS\]\s*(?=\{)/;
const fencedHead = (begin: string, end: string) =>
  new RegExp(`^(?:\\n\`\`\`${end})?\\s*${begin}(?<name>[^\\n]+)\\n\`\`\`json\\n\\s*(?=\\{)`);
const deepSeekHead = fencedHead('<｜tool▁call▁begin｜>function<｜tool▁sep｜>', '<｜tool▁call▁end｜>');
const hunyuanHead = fencedHead('<tool_call>', '</tool_call>');

/** Enough for the name of any tool, and little enough to look at it with every token. */
const maxHead = 1000;

class JsonCallStream extends CallStream {
  /** The text before the arguments of the next call; undefined within arguments. */
  private head: string | undefined = '';
  private depth = 0;
  private isInString = false;
  private isEscaped = false;

  constructor(
    reading: CallReading,
    private readonly heads: readonly RegExp[],
  ) {
    super(reading);
  }

  protected read(text: string): void {
    for (let rest = text; rest !== ''; )
      rest = this.head === undefined ? this.readArguments(rest) : this.readHead(this.head + rest);
  }

  private readHead(text: string): string {
    this.head = text.slice(0, maxHead);
    const found = this.heads.map((head) => head.exec(text)).find((each) => each);
    if (!found) return '';
    this.head = undefined;
    const { name, id } = found.groups!;
    this.begin(name!.trim(), id);
    return text.slice(found[0].length);
  }

  private readArguments(text: string): string {
    const end = this.endIn(text);
    this.write(text.slice(0, end));
    return text.slice(end);
  }

  /** The position after the brace that ends the arguments, or the length of the text. */
  private endIn(text: string): number {
    for (let at = 0; at < text.length; ++at) {
      const character = text[at]!;
      if (this.isEscaped) this.isEscaped = false;
      else if (character === '"') this.isInString = !this.isInString;
      else if (this.isInString) this.isEscaped = character === '\\';
      else if ('{['.includes(character)) ++this.depth;
      else if ('}]'.includes(character) && --this.depth === 0) {
        this.head = '';
        return at + 1;
      }
    }
    return text.length;
  }
}

const streamAfter =
  (...heads: RegExp[]): StreamCalls =>
  (reading) =>
    new JsonCallStream(reading, heads);

export const jsonStream = streamAfter(jsonHead);
export const mistralStream = streamAfter(jsonHead, mistralHead);
export const deepSeekStream = streamAfter(deepSeekHead);
export const hunyuanStream = streamAfter(hunyuanHead);
