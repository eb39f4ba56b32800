// The options that keep a generated text to a form.
import type { GenerateOptions } from '../../index.js';
import { type OptionValues, section } from '../command.js';
import { UsageError } from '../ending.js';
import { wholeText } from './text_arguments.js';

export const CONSTRAINT_OPTIONS = section('Form', {
  grammar: { type: 'string', value: 'FILE', help: 'the text matches this grammar in GBNF; - for stdin' },
  'json-schema': { type: 'string', value: 'FILE', help: 'the text is JSON that matches this schema; - for stdin' },
  'logit-bias': {
    type: 'string',
    multiple: true,
    value: 'ID=X',
    help: 'add X to the logit of a token, `-Infinity` to forbid it; may be given more than once',
  },
});

type ConstraintOptions = OptionValues<typeof CONSTRAINT_OPTIONS>;

const LONGEST_FILE = 16_000_000;

/** Whether one of the files is stdin. */
export const constraintFromStdin = (options: ConstraintOptions): boolean =>
  options.grammar === '-' || options['json-schema'] === '-';

export async function constraintOptions(options: ConstraintOptions): Promise<GenerateOptions> {
  const { grammar, 'json-schema': schema, 'logit-bias': biases = [] } = options;
  if (grammar !== undefined && schema !== undefined) {
    throw new UsageError('--grammar and --json-schema cannot be used together');
  }
  return {
    ...(grammar !== undefined && { grammar: await wholeText(grammar, 'the grammar', LONGEST_FILE) }),
    ...(schema !== undefined && { jsonSchema: await readSchema(schema) }),
    ...(biases.length > 0 && { logitBias: Object.fromEntries(biases.map(biasOf)) }),
  };
}

async function readSchema(path: string): Promise<object | true> {
  const text = await wholeText(path, 'the JSON schema', LONGEST_FILE);
  try {
    return JSON.parse(text) as object | true;
  } catch (error) {
    throw new UsageError(`the JSON schema is not JSON: ${(error as Error).message}`);
  }
}

function biasOf(text: string): [id: string, bias: number] {
  const [, id, number] = /^(\d+)=([+-]?(?:\d+\.?\d*(?:e[+-]?\d+)?|Infinity))$/i.exec(text) ?? [];
  const bias = Number(number);
  if (id === undefined || Number.isNaN(bias) || bias === Infinity) {
    throw new UsageError(`--logit-bias ${text}: expected a token id and a number, such as 42=-1.5 or 42=-Infinity`);
  }
  return [id, bias];
}
