// The embedder of a command that may not need one: it is loaded when it is first used.
import type { Embedder, EmbedOptions } from '../../index.js';
import type { OptionValues } from '../command.js';
import { loadEmbedder, type MODEL_OPTIONS } from '../options/model_options.js';
import type { Output } from '../output/output.js';
import { RecordEmbedder } from '../records/record_embedder.js';

/** What texts are in a search, and the names that models give to prompts for them (encode_query and encode_document of
 * https://sbert.net/docs/package_reference/sentence_transformer/SentenceTransformer.html). */
const PROMPT_NAMES = { query: ['query'], passage: ['document', 'passage', 'corpus'] } as const;

type SearchRole = keyof typeof PROMPT_NAMES;

export class EmbedderOnDemand {
  private loaded: Embedder | undefined;

  constructor(
    private readonly model: OptionValues<typeof MODEL_OPTIONS>,
    private readonly stderr: Output,
  ) {}

  /** With a role, the model's prompt for it is put before the text unless `settings` has one. */
  async embed(text: string, settings: EmbedOptions, role?: SearchRole): Promise<Float32Array> {
    const embedder = await this.load();
    return embedder.embed(text, withPrompt(settings, role, embedder.prompts));
  }

  /** Settings that the model refuses are an error here, before any record. */
  async ofRecords(settings: EmbedOptions, role?: SearchRole): Promise<RecordEmbedder> {
    const embedder = await this.load();
    const settled = withPrompt(settings, role, embedder.prompts);
    await embedder.encode([], settled);
    return new RecordEmbedder(embedder, settled);
  }

  close(): void {
    this.loaded?.close();
  }

  private async load(): Promise<Embedder> {
    return (this.loaded ??= await loadEmbedder(this.model, this.stderr));
  }
}

function withPrompt(
  settings: EmbedOptions,
  role: SearchRole | undefined,
  prompts: Readonly<Record<string, string>>,
): EmbedOptions {
  if (role === undefined || settings.prompt !== undefined || settings.promptName !== undefined) return settings;
  const promptName = PROMPT_NAMES[role].find((name) => Object.hasOwn(prompts, name));
  return promptName === undefined ? settings : { ...settings, promptName };
}
