// Answers texts of the command line or the records of stdin as JSON lines, each with a model's answer or an error.
import { QuintetError } from '../../base/errors.js';
import { LineTally } from '../output/line_tally.js';
import { lineBatches } from '../output/lines.js';
import type { Output } from '../output/output.js';
import { errorRecord } from './record_json.js';
import { type RecordForm, RecordReader } from './record_reader.js';
import type { InputRecord, TextRecord } from './records.js';

/** A model's answers to some texts, in their order: one line of output for each, after the facts of its record. */
export type Answer = (texts: string[], facts: object[], tally: LineTally) => Promise<string[]>;

export async function answerTexts(texts: string[], answer: Answer, stdout: Output): Promise<LineTally> {
  const tally = new LineTally();
  tally.lines = texts.length;
  const facts = texts.map((_, index) => ({ index }));
  for (const line of await answer(texts, facts, tally)) await stdout.line(line);
  return tally;
}

/** Reads the next records once the reader of the output has consumed the previous ones. */
export async function answerStdin(form: RecordForm, answer: Answer, stdout: Output): Promise<LineTally> {
  const tally = new LineTally();
  for await (const records of new RecordReader(form).batches(lineBatches(process.stdin))) {
    const lines = await answerRecords(records, answer, tally);
    await stdout.write(lines.map((line) => `${line}\n`).join(''));
  }
  return tally;
}

const isText = (record: InputRecord): record is TextRecord => record.fault === undefined;

async function answerRecords(records: InputRecord[], answer: Answer, tally: LineTally): Promise<string[]> {
  const first = tally.lines;
  tally.lines += records.length;
  const indexed = records.map((record, i) => ({ record, index: first + i }));
  const texts = indexed.flatMap(({ record, index }) => (isText(record) ? [{ record, index }] : []));
  const answers = (await answered(texts, answer, tally)).values();
  return indexed.map(({ record, index }) => {
    if (isText(record)) return answers.next().value!;
    tally.bad += 1;
    return errorRecord(record, index);
  });
}

interface IndexedText {
  record: TextRecord;
  index: number;
}

/** A text that the model rejects becomes an error, without affecting the rest of its batch. */
async function answered(texts: IndexedText[], answer: Answer, tally: LineTally): Promise<string[]> {
  const cut = tally.cut;
  try {
    const facts = texts.map(({ record: { line, id }, index }) => ({ index, line: line.number, id }));
    return await answer(
      texts.map(({ record }) => record.text),
      facts,
      tally,
    );
  } catch (error) {
    if (!(error instanceof QuintetError) || error.code !== 'INPUT') throw error;
    tally.cut = cut;
    const [only, ...others] = texts;
    if (only && others.length === 0) {
      tally.bad += 1;
      const { line, id } = only.record;
      return [errorRecord({ line, ...(id === undefined ? {} : { id }), fault: error }, only.index)];
    }
    const lines: string[] = [];
    for (const text of texts) lines.push(...(await answered([text], answer, tally)));
    return lines;
  }
}
