import type {
  GenerateOptions,
  GenerationSummary,
  GeneratorLoadOptions,
  LoadedModelInfo,
  ModelSource,
  SaveCacheOptions,
  Session,
  TextGenerator,
  Token,
} from 'quintet';

import { loadModel, write } from './storytelling.js';

type Show = (token: Token) => void;

/** A model and the one story that it writes. */
export class Teller {
  readonly #model: TextGenerator;
  #session: Session;
  /** The prompt of the last generation and the number of tokens before it, to take it back and write it again. */
  #turn = { prompt: '', begin: 0 };

  static async load(source: ModelSource, options: GeneratorLoadOptions): Promise<Teller> {
    return new Teller(await loadModel(options, source));
  }

  private constructor(model: TextGenerator) {
    this.#model = model;
    this.#session = model.createSession();
  }

  get info(): LoadedModelInfo {
    return this.#model.info;
  }

  /** How many tokens a story may have. */
  get room(): number {
    return this.#model.contextLength;
  }

  /** How many tokens this story has. */
  get length(): number {
    return this.#session.length;
  }

  write(prompt: string, options: GenerateOptions, show: Show): Promise<GenerationSummary> {
    this.#session.close();
    this.#session = this.#model.createSession();
    return this.#take({ prompt, begin: 0 }, options, show);
  }

  goOn(options: GenerateOptions, show: Show): Promise<GenerationSummary> {
    return this.#take({ prompt: '', begin: this.#session.length }, options, show);
  }

  /** Writes the last part once more; another seed makes it different. */
  again(options: GenerateOptions, show: Show): Promise<GenerationSummary> {
    this.#session.rewind(this.#turn.begin);
    return this.#take(this.#turn, options, show);
  }

  #take(turn: { prompt: string; begin: number }, options: GenerateOptions, show: Show): Promise<GenerationSummary> {
    this.#turn = turn;
    return write(this.#session, turn.prompt, options, show);
  }

  save(options: SaveCacheOptions): Promise<Uint8Array> {
    return this.#session.saveCache(options);
  }

  /** Continues a saved story and returns its text. After an error, the story is what it was before. */
  async load(file: ModelSource): Promise<string> {
    const session = this.#model.createSession();
    let text;
    try {
      await session.loadCache(file);
      text = await this.#model.detokenize([...session.tokens]);
    } catch (error) {
      session.close();
      throw error;
    }
    this.#session.close();
    this.#session = session;
    this.#turn = { prompt: '', begin: session.length };
    return text;
  }

  close(): void {
    this.#model.close();
  }
}
