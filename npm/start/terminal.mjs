// Output for a terminal: colours if they are wanted, and lines that fit.

const { stdout, env } = process;
/** Includes 24-bit colours, which current terminals support. */
export const coloured = stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';

// `npm start | head`: the reader has closed the pipe.
stdout.on('error', ({ code }) => process.exit(code === 'EPIPE' ? 0 : 1));

const style = (code) => (text) => (coloured ? `\x1b[${code}m${text}\x1b[0m` : text);
export const bold = style(1);
export const dim = style(2);
export const green = style(32);

const READABLE_WIDTH = 90;
const width = Math.min(stdout.columns ?? READABLE_WIDTH, READABLE_WIDTH);
/** Width of the terminal, for images. */
export const columns = stdout.columns ?? READABLE_WIDTH;

/** Wraps a text at spaces and indents every line. */
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

/** A line that updates in place on a terminal; elsewhere only its last state is printed. */
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

/** Describes what runs a model. */
export function engine({ variant, kernels, threads }) {
  return `engine: ${variant} WebAssembly, ${kernels} kernels, ${threads} thread${threads === 1 ? '' : 's'}`;
}
