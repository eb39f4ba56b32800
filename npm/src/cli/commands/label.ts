import { type LabelOptions, TextClassifier } from '../../index.js';
import { defineCommand, type OptionValues } from '../command.js';
import { UsageError } from '../ending.js';
import { countOption } from '../options/arguments.js';
import { LABELER_OPTIONS, loadLabeler } from '../options/labeler_options.js';
import { RECORD_OPTIONS, recordForm } from '../options/record_options.js';
import { type Answer, answerStdin, answerTexts } from '../records/answer_lines.js';

const OPTIONS = {
  ...LABELER_OPTIONS,
  'top-k': { type: 'string', short: 'k', value: 'N', help: 'number of labels to show; default: all' },
  labels: {
    type: 'string',
    value: 'LIST',
    help: 'your own labels, separated by commas, for a model of natural language inference',
  },
  template: {
    type: 'string',
    value: 'T',
    help: "sentence about a text for each of --labels, with {} for the label; default: 'This example is {}.'",
  },
  'multi-label': { type: 'boolean', help: 'several of --labels may be right' },
  json: { type: 'boolean', help: 'the output is always JSON lines' },
  ...RECORD_OPTIONS,
} as const;

export default defineCommand({
  usage: ['label --model FILE [TEXT...] [options]'],
  description: `Labels texts, for example with moods, topics or languages, and prints one JSON line per text:
{"index", "line", "id", "text", "labels": [{"label", "score"}]}, best first. Without TEXT, or
with -, the texts are the lines of stdin: plain text, or JSON like {"id": "a", "text": "..."}. A
line that cannot be labeled gives {"index", "line", "id", "error"} in its place, and exit status
1 at the end.`,
  options: OPTIONS,
  examples: [
    'quintet label --model distilbert-sst2 "what a lovely day"',
    'quintet label --model nli-deberta-v3-xsmall --labels "billing,delivery,praise" < mails.txt',
  ],

  async run({ options, positionals, stdout, stderr }) {
    const form = recordForm(options);
    const settings = labelOptions(options);
    const isStdin = positionals.length === 0 || positionals.join() === '-';
    if (options.model === '-' && isStdin) throw new UsageError('stdin cannot be both the model and the texts');
    const classifier = await loadLabeler(TextClassifier, options, stderr);
    const answer: Answer = async (texts, facts, tally) => {
      const onTruncate = () => {
        tally.cut += 1;
      };
      const labels = await classifier.classify(texts, { ...settings, onTruncate });
      return labels.map((each, i) => JSON.stringify({ ...facts[i], text: texts[i], labels: each }));
    };
    const tally = await (isStdin ? answerStdin(form, answer, stdout) : answerTexts(positionals, answer, stdout));
    classifier.close();
    return tally.report(stderr, 'could not be labeled');
  },
});

function labelOptions(options: OptionValues<typeof OPTIONS>): LabelOptions {
  const { template, 'multi-label': multiLabel } = options;
  const topK = countOption('top-k', options['top-k']);
  const maxLength = countOption('max-length', options['max-length']);
  const labels = options.labels?.split(',').map((label) => label.trim());
  return {
    ...(topK === undefined ? {} : { topK }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(labels === undefined ? {} : { labels }),
    ...(template === undefined ? {} : { template }),
    ...(multiLabel === undefined ? {} : { multiLabel }),
  };
}
