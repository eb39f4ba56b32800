// The embedder of a command that may not need one: it is loaded when it is first used.
import type { Embedder, EmbedOptions } from '../../index.js';
import type { OptionValues } from '../command.js';
import { loadEmbedder, type MODEL_OPTIONS } from '../options/model_options.js';
import type { Output } from '../output/output.js';
import { RecordEmbedder } from '../records/record_embedder.js';

export class EmbedderOnDemand {
  private loaded: Embedder | undefined;

  constructor(
    private readonly model: OptionValues<typeof MODEL_OPTIONS>,
    private readonly stderr: Output,
  ) {}

  async embedQuery(text: string, settings: EmbedOptions): Promise<Float32Array> {
    return (await this.load()).embedQuery(text, settings);
  }

  /** Settings that the model rejects are an error here, before any record. */
  async ofRecords(settings: EmbedOptions): Promise<RecordEmbedder> {
    const embedder = await this.load();
    await embedder.encode([], settings);
    return new RecordEmbedder(embedder, settings);
  }

  close(): void {
    this.loaded?.close();
  }

  private async load(): Promise<Embedder> {
    return (this.loaded ??= await loadEmbedder(this.model, this.stderr));
  }
}
