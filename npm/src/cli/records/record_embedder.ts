// Embeds records. A text that the model rejects becomes a bad record without affecting the rest of its batch.
import { QuintetError } from '../../base/errors.js';
import { type Embedder, type EmbedOptions, SearchIndex, type SearchIndexOptions } from '../../index.js';
import type { BadRecord, InputRecord, TextRecord } from './records.js';

export interface EmbeddedRecord {
  record: TextRecord;
  /** Before cutting. */
  tokens: number;
  truncated: boolean;
  vector: Float32Array;
  fault?: undefined;
}

export type EmbeddingOutcome = EmbeddedRecord | BadRecord;

export class RecordEmbedder {
  constructor(
    private readonly embedder: Embedder,
    private readonly options: EmbedOptions,
  ) {}

  get dimension(): number {
    return this.options.dimensions ?? this.embedder.dimension;
  }

  /** An empty index for the vectors. It remembers the model, unless options change the model's vectors. */
  newIndex<Payload>(options: Pick<SearchIndexOptions, 'storage' | 'keywords' | 'keepTexts'>): SearchIndex<Payload> {
    const { embedder, dimension } = this;
    const { pooling, normalize, prompt, promptName } = this.options;
    if (pooling !== undefined || normalize !== undefined) return new SearchIndex<Payload>({ ...options, dimension });
    const document = promptName === undefined ? prompt : embedder.prompts[promptName];
    return new SearchIndex<Payload>({
      ...options,
      embedder,
      dimension,
      ...(document !== undefined && { prompts: { document } }),
    });
  }

  /** One outcome for each record, in their order. */
  async embed(records: InputRecord[]): Promise<EmbeddingOutcome[]> {
    const outcomes = (await this.embedTexts(records.filter(isText))).values();
    return records.map((record) => (isText(record) ? outcomes.next().value! : record));
  }

  private async embedTexts(records: TextRecord[]): Promise<EmbeddingOutcome[]> {
    try {
      return await this.encode(records);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return this.embedOneByOne(records);
    }
  }

  private async embedOneByOne(records: TextRecord[]): Promise<EmbeddingOutcome[]> {
    const outcomes: EmbeddingOutcome[] = [];
    for (const record of records) {
      try {
        outcomes.push(...(await this.encode([record])));
      } catch (error) {
        if (!isRefusal(error)) throw error;
        outcomes.push(refused(record, error));
      }
    }
    return outcomes;
  }

  private async encode(records: TextRecord[]): Promise<EmbeddedRecord[]> {
    const texts = records.map(({ text }) => text);
    const { vectors, dimension, tokens, truncated } = await this.embedder.encode(texts, this.options);
    return records.map((record, i) => ({
      record,
      tokens: tokens[i]!,
      truncated: truncated[i] !== 0,
      vector: vectors.subarray(i * dimension, (i + 1) * dimension),
    }));
  }
}

function isText(record: InputRecord): record is TextRecord {
  return record.fault === undefined;
}

/** Anything else is not the text's fault. */
function isRefusal(error: unknown): error is QuintetError {
  return error instanceof QuintetError && error.code === 'INPUT';
}

function refused({ line, id }: TextRecord, { message, reason }: QuintetError): BadRecord {
  // The embedder counts the texts of a call, and here it had one.
  const what = message.replace(/^text 0(?= )/, `line ${line.number}`);
  const fault = new QuintetError('INPUT', what, { reason, offset: line.offset });
  return { line, ...(id === undefined ? {} : { id }), fault };
}
