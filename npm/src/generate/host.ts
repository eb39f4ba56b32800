// The text generator in the thread of its engine: a worker, or the caller's thread.

import { closedError } from '../base/errors.js';
import { lazyModule } from '../base/lazy_module.js';
import type { ChatDescription, FormattedChat } from '../chat/types.js';
import { loadFiles } from '../engine/load/loading.js';
import { parseModelInfo, unwrap } from '../engine/native.js';
import { withText } from '../engine/native_object.js';
import type { Engine, EngineChoice } from '../engine/start/engine.js';
import type { TokenGrammars } from '../grammar/token_grammars.js';
import type { CallContext, Host } from '../worker/calls.js';
import type {
  GenerationRequest,
  GenerationResult,
  GeneratorCalls,
  GeneratorDescription,
  LoadGeneratorHost,
  PromptInput,
} from './calls.js';
import type { NativeGenerator, NativeGeneratorModule } from './native.js';
import { generate } from './session/generating.js';
import { SessionHost } from './session/host.js';
import { SharedSteps } from './together/shared_steps.js';
import type { PerplexityScore } from './types.js';

/** Loaded with the first grammar. */
const constraining = lazyModule(() => import('../grammar/token_grammars.js'), 'TokenGrammars');

/** Loaded with the first adapter. */
const adapting = lazyModule(() => import('./adapters/host.js'), 'readAdapter');

/** Loaded with the first prompt of several that are computed together. */
const sharing = lazyModule(() => import('./together/shared_prompts.js'), 'generateShared');

/** Loaded with the first text that is scored. */
const scoring = lazyModule(() => import('./session/scoring.js'), 'perplexity');

/** Loads into the engine that `obtain` returns. */
export const generatorHostLoader =
  (obtain: (choice: EngineChoice) => Promise<Engine<NativeGeneratorModule>>): LoadGeneratorHost =>
  (files, options, watch) =>
    loadFiles(files, watch, {
      obtain: (onBytes) => obtain({ ...options, onBytes }),
      integrity: options.integrity,
      loader: (native) => new native.GeneratorLoader(options.settings),
      hostOf: (engine, native, bytes, templates) => new GeneratorHost(engine, native, bytes, templates),
    });

export class GeneratorHost implements Host<GeneratorDescription>, GeneratorCalls {
  readonly description: GeneratorDescription;
  private readonly sessions = new Map<number, SessionHost>();
  private readonly steps = new SharedSteps(() => this.call(() => this.native.step()));
  private grammars: TokenGrammars | undefined;
  private closed = false;

  constructor(
    private readonly engine: Engine,
    private readonly native: NativeGenerator,
    fileBytes: number,
    private readonly templates: Record<string, string> | undefined,
  ) {
    this.description = engine.run(() => ({
      info: parseModelInfo(native.info(), fileBytes),
      runtime: engine.runtime,
      contextLength: native.contextLength(),
    }));
  }

  async tokenize(_: CallContext, text: string, addBos: boolean, parseSpecial: boolean): Promise<Int32Array> {
    return this.encode(text, (bytes) => this.native.tokenize(bytes, addBos, parseSpecial));
  }

  async countTokens(_: CallContext, text: string, addBos: boolean, parseSpecial: boolean): Promise<number> {
    const count = (bytes: number) => unwrap(this.native.tokenize(bytes, addBos, parseSpecial)).length;
    return this.call(() => withText(this.engine, this.native, text, count));
  }

  async detokenize(_: CallContext, ids: Int32Array): Promise<string> {
    return this.call(() => unwrap(this.native.detokenize(ids)));
  }

  async tokenTexts(_: CallContext, ids: Int32Array): Promise<string[]> {
    return this.call(() => Array.from(ids, (id) => this.native.token(id)));
  }

  async chat(): Promise<ChatDescription> {
    const described: ChatDescription = JSON.parse(this.call(() => this.native.chat()));
    return { ...described, templates: { ...described.templates, ...this.templates } };
  }

  async encodeChat(_: CallContext, chat: FormattedChat): Promise<Int32Array> {
    return this.idsOfChat(chat);
  }

  async specialTokens(_: CallContext, texts: readonly string[]): Promise<Int32Array> {
    return Int32Array.from(texts, (text) => {
      const [id = -1, ...others] = this.idsOfChat({ text, originBoundaries: new Uint32Array() });
      const isSpecial =
        others.length === 0 && this.call(() => unwrap(this.native.detokenize(Int32Array.of(id)))) === '';
      return isSpecial ? id : -1;
    });
  }

  async loadAdapter(watch: CallContext, name: string): Promise<void> {
    const { readAdapter } = await adapting();
    await readAdapter(this.engine, () => unwrap(this.call(() => this.native.loadAdapter(name))), watch);
  }

  async unloadAdapter(_: CallContext, name: string): Promise<void> {
    this.call(() => unwrap(this.native.unloadAdapter(name)));
  }

  async createSession(_: CallContext, session: number): Promise<void> {
    this.sessions.set(
      session,
      new SessionHost(
        this.engine,
        this.call(() => unwrap(this.native.createSession())),
        this.steps,
      ),
    );
  }

  async forkSession(_: CallContext, session: number, from: number): Promise<void> {
    if (this.session(from).running) await this.session(from).running;
    this.sessions.set(session, this.session(from).fork());
  }

  async closeSession(_: CallContext, session: number): Promise<void> {
    this.sessions.get(session)?.close();
    this.sessions.delete(session);
  }

  async rewind(_: CallContext, session: number, length: number): Promise<void> {
    if (this.session(session).running) await this.session(session).running;
    this.session(session).rewind(length);
  }

  async nextLogits(watch: CallContext, session: number): Promise<Float32Array> {
    return this.session(session).nextLogits(watch);
  }

  async saveCache(watch: CallContext, session: number, options: string): Promise<Uint8Array> {
    return (await this.session(session).caches()).save(options, watch);
  }

  async openCache(watch: CallContext, session: number, writer: number, options: string): Promise<void> {
    await (await this.session(session).caches()).open(writer, options, watch);
  }

  async nextCachePiece(_: CallContext, session: number, writer: number): Promise<Uint8Array> {
    return (await this.session(session).caches()).next(writer);
  }

  async closeCache(_: CallContext, session: number, writer: number): Promise<void> {
    this.sessions.get(session)?.openCaches?.close(writer);
  }

  async loadCache(watch: CallContext, session: number, options: string): Promise<Int32Array> {
    return (await this.session(session).caches()).load(options, watch);
  }

  async generate(watch: CallContext, session: number, request: GenerationRequest): Promise<GenerationResult> {
    const host = session === 0 ? await this.ownSession() : this.session(session);
    const begin = request.grammar && (await (await this.tokenGrammars()).prepare(request.grammar));
    this.use(host, request.adapters);
    const begins = request.replace || host.isEmpty;
    const ids = this.idsOf(request.prompt, begins);
    const isVisible = session !== 0 && !request.shares;
    const tokenize = (text: string) => this.idsOf({ text }, false);
    const generated = () => generate(host, ids, { ...request, begin, isVisible, tokenize }, watch);
    // Others have computed the same ids with other adapters.
    if (request.adapters !== undefined) host.isShared = false;
    if (!request.shares || request.adapters !== undefined) return generated();
    return (await sharing()).generateShared(host, ids, this.sessions, watch.signal, generated);
  }

  private async tokenGrammars(): Promise<TokenGrammars> {
    const { TokenGrammars } = await constraining();
    if (this.closed) throw closedError();
    return (this.grammars ??= new TokenGrammars({
      vocabulary: (begins) => this.call(() => unwrap(this.native.vocabulary(begins))),
      find: (token) => this.call(() => this.native.find(token)),
    }));
  }

  async logits(watch: CallContext, ids: Int32Array, all: boolean): Promise<Float32Array> {
    const session = await this.ownSession();
    this.use(session);
    return all ? (await scoring()).allLogits(session, ids, watch) : session.logitsOf(ids, watch);
  }

  async perplexity(watch: CallContext, prompt: PromptInput): Promise<PerplexityScore> {
    const { perplexity } = await scoring();
    const session = await this.ownSession();
    this.use(session);
    return perplexity(session, this.idsOf(prompt, true), this.description.contextLength, watch);
  }

  async perplexityAfter(watch: CallContext, session: number, prompt: PromptInput): Promise<PerplexityScore> {
    const { perplexityAfter } = await scoring();
    const host = this.session(session);
    return perplexityAfter(host, this.idsOf(prompt, host.isEmpty), watch);
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    for (const session of this.sessions.values()) session.close();
    this.grammars?.close();
    if (this.engine.usable) this.native.delete();
  }

  private use(session: SessionHost, adapters = '[]'): void {
    session.useAdapters((native) => this.call(() => unwrap(this.native.useAdapters(native, adapters))));
  }

  private async ownSession(): Promise<SessionHost> {
    if (!this.sessions.has(0)) await this.createSession({ files: [] }, 0);
    return this.session(0);
  }

  private session(number: number): SessionHost {
    const session = this.sessions.get(number);
    if (this.closed || !session) throw closedError();
    return session;
  }

  /** `begins`: the text is at the start of the context. */
  private idsOf(prompt: PromptInput, begins: boolean): Int32Array {
    if ('ids' in prompt) return prompt.ids;
    if ('text' in prompt) return this.encode(prompt.text, (bytes) => this.native.tokenize(bytes, begins, false));
    return this.idsOfChat(prompt.chat);
  }

  private idsOfChat({ text, originBoundaries }: FormattedChat): Int32Array {
    return this.encode(text, (bytes) => this.native.encodeChat(bytes, originBoundaries));
  }

  private encode(text: string, job: (bytes: number) => Parameters<typeof unwrap<Int32Array>>[0]): Int32Array {
    return this.call(() => withText(this.engine, this.native, text, (bytes) => unwrap(job(bytes)).slice()));
  }

  private call<T>(job: () => T): T {
    if (this.closed) throw closedError();
    return this.engine.run(job);
  }
}
