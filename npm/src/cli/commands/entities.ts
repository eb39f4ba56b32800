import { type Entity, type EntityOptions, TokenClassifier } from '../../index.js';
import { defineCommand, type OptionValues } from '../command.js';
import { UsageError } from '../ending.js';
import { choiceOption, countOption } from '../options/arguments.js';
import { LABELER_OPTIONS, loadLabeler } from '../options/labeler_options.js';
import { RECORD_OPTIONS, recordForm } from '../options/record_options.js';
import { type Answer, answerStdin, answerTexts } from '../records/answer_lines.js';

const AGGREGATIONS = ['none', 'simple', 'first', 'average', 'max'] as const;

const OPTIONS = {
  ...LABELER_OPTIONS,
  aggregation: {
    type: 'string',
    value: 'A',
    help: 'grouping of tokens into entities: `none`, `simple` (default), `first`, `average` or `max`',
  },
  redact: { type: 'boolean', help: 'print the texts, with [LABEL] in place of each entity, instead of JSON' },
  json: { type: 'boolean', help: 'the output is always JSON lines, unless --redact is given' },
  ...RECORD_OPTIONS,
} as const;

export default defineCommand({
  usage: ['entities --model FILE [TEXT...] [options]'],
  description: `Finds names, places, addresses and the like in texts, and prints one JSON line per text: {"index",
"line", "id", "text", "entities": [{"label", "score", "start", "end", "text"}]}. Places count
UTF-16 code units, as JavaScript does. Without TEXT, or with -, the texts are the lines of stdin:
plain text, or JSON like {"id": "a", "text": "..."}. A line that cannot be read gives {"index",
"line", "id", "error"} in its place, and exit status 1 at the end.`,
  options: OPTIONS,
  examples: [
    'quintet entities --model bert-base-NER "Ada Lovelace was born in London"',
    'quintet entities --model piiranha --redact < mails.txt',
  ],

  async run({ options, positionals, stdout, stderr }) {
    const form = recordForm(options);
    const settings = entityOptions(options);
    const isStdin = positionals.length === 0 || positionals.join() === '-';
    if (options.model === '-' && isStdin) throw new UsageError('stdin cannot be both the model and the texts');
    const classifier = await loadLabeler(TokenClassifier, options, stderr);
    const answer: Answer = async (texts, facts) => {
      const lines: string[] = [];
      for (const [i, text] of texts.entries()) {
        const entities = await classifier.classify(text, settings);
        lines.push(options.redact ? redacted(text, entities) : JSON.stringify({ ...facts[i], text, entities }));
      }
      return lines;
    };
    const tally = await (isStdin ? answerStdin(form, answer, stdout) : answerTexts(positionals, answer, stdout));
    classifier.close();
    return tally.report(stderr, 'could not be read');
  },
});

function entityOptions(options: OptionValues<typeof OPTIONS>): EntityOptions {
  const aggregation = choiceOption('aggregation', options.aggregation, AGGREGATIONS);
  const maxLength = countOption('max-length', options['max-length']);
  if (options.redact && aggregation === 'none') {
    throw new UsageError('--redact and --aggregation none cannot be used together');
  }
  if (options.redact && options.json) throw new UsageError('--redact and --json cannot be used together');
  return {
    ...(aggregation === undefined ? {} : { aggregation }),
    ...(maxLength === undefined ? {} : { maxLength }),
  };
}

/** Entities are in the order of the text and do not overlap. */
function redacted(text: string, entities: readonly Entity[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { label, start, end } of entities) {
    parts.push(text.slice(at, start), `[${label}]`);
    at = end;
  }
  return parts.join('') + text.slice(at);
}
