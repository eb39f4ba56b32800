// What a terminal can show: colours where they are wanted, lines no longer than it is wide.

const { stdout, env } = process;
/** Colours of 24 bits too, which every terminal of today has. */
export const coloured = stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';

// `npm start | head`: the reader has seen enough.
stdout.on('error', ({ code }) => process.exit(code === 'EPIPE' ? 0 : 1));

const style = (code) => (text) => (coloured ? `\x1b[${code}m${text}\x1b[0m` : text);
export const bold = style(1);
export const dim = style(2);
export const green = style(32);

const READABLE_WIDTH = 90;
const width = Math.min(stdout.columns ?? READABLE_WIDTH, READABLE_WIDTH);
/** Of the terminal, for what is no text. */
export const columns = stdout.columns ?? READABLE_WIDTH;

/** Breaks a text at spaces and indents every line of it. */
export function wrap(text, indent) {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1);
    if (line === '') lines[lines.length - 1] = word;
    else if (indent.length + line.length + 1 + word.length <= width) lines[lines.length - 1] += ` ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => indent + line).join('\n');
}

/** Text that arrives in pieces, written at once and broken at spaces. */
export function flow(indent) {
  let column = 0;
  const put = (word) => {
    if (column > 0 && column + 1 + word.length > width - indent.length) column = 0;
    stdout.write(column === 0 ? `\n${indent}${word}` : ` ${word}`);
    column += word.length + 1;
  };
  let word = '';
  return {
    write(text) {
      const words = (word + text).split(/\s/);
      word = words.pop();
      words.filter(Boolean).forEach(put);
    },
    end() {
      if (word) put(word);
      stdout.write('\n\n');
    },
  };
}

/** A line that replaces itself on a terminal; elsewhere only its last state is printed. */
export function progressLine() {
  return {
    update(text) {
      if (stdout.isTTY) stdout.write(`\r\x1b[K${text}`);
    },
    done(text) {
      stdout.write(stdout.isTTY ? `\r\x1b[K${text}\n` : `${text}\n`);
    },
  };
}

export function milliseconds(started) {
  return `${(performance.now() - started).toFixed(1)} ms`;
}

/** What runs a model, in words. */
export function engine({ variant, kernels, threads }) {
  return `engine: ${variant} WebAssembly, ${kernels} kernels, ${threads} thread${threads === 1 ? '' : 's'}`;
}
