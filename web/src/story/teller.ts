import { TextGenerator } from 'quintet';
import type { GenerateOptions, Generation, GeneratorLoadOptions, LoadedModelInfo, ModelSource, SaveCacheOptions, Session } from 'quintet';

/** A model and the one story that it is telling. */
export class Teller {
  readonly #model: TextGenerator;
  #session: Session;
  /** What the last piece of writing began with, and behind how many tokens: to take it back and write it anew. */
  #turn = { prompt: '', begin: 0 };

  static async load(source: ModelSource, options: GeneratorLoadOptions): Promise<Teller> {
    return new Teller(await TextGenerator.load(source, options));
  }

  private constructor(model: TextGenerator) {
    this.#model = model;
    this.#session = model.createSession();
  }

  get info(): LoadedModelInfo {
    return this.#model.info;
  }

  /** Tokens that the story may have, and has. */
  get room(): number {
    return this.#model.contextLength;
  }

  get length(): number {
    return this.#session.length;
  }

  write(prompt: string, options: GenerateOptions): Generation {
    this.#session.close();
    this.#session = this.#model.createSession();
    return this.#take({ prompt, begin: 0 }, options);
  }

  goOn(options: GenerateOptions): Generation {
    return this.#take({ prompt: '', begin: this.#session.length }, options);
  }

  /** The last piece of writing once more, differently if the seed is another one. */
  again(options: GenerateOptions): Generation {
    this.#session.rewind(this.#turn.begin);
    return this.#take(this.#turn, options);
  }

  #take(turn: { prompt: string; begin: number }, options: GenerateOptions): Generation {
    this.#turn = turn;
    return this.#session.generate(turn.prompt, options);
  }

  save(options: SaveCacheOptions): Promise<Uint8Array> {
    return this.#session.saveCache(options);
  }

  /** Goes on with a saved story, and gives its text. After an error the story is what it was. */
  async load(file: Blob): Promise<string> {
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
