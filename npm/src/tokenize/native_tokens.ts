// A tokenizer in WebAssembly memory. Checks the arguments and copies texts into its memory.

import { checkIds, checkText } from '../base/arguments.js';
import { closedError, memoryError } from '../base/errors.js';
import { checkOptions } from '../base/values.js';
import type { ChatTemplates } from '../chat/chat_templates.js';
import type { AppliedChatTemplate, ChatDescription, ChatMessage, ChatTemplateOptions } from '../chat/types.js';
import { unwrap } from '../engine/native.js';
import { withText } from '../engine/native_object.js';
import type { Engine } from '../engine/start/engine.js';
import type { NativeTokenizer, NativeTokenizerModule } from './native.js';
import {
  type DecodeOptions,
  decodeRules,
  type EncodedPair,
  type EncodeOptions,
  type EncodePairOptions,
  encodePairRules,
  encodeRules,
} from './options.js';

export type TokenizerEngine = Engine<NativeTokenizerModule>;

interface TokenizerInfo {
  type: string;
  size: number;
  special: Record<string, number | null>;
}

const utf8 = new TextEncoder();

export class NativeTokens {
  readonly info: TokenizerInfo;
  private isClosed = false;

  private readonly templates: ChatTemplates;

  constructor(
    private readonly engine: TokenizerEngine,
    private readonly native: NativeTokenizer,
    templating: typeof ChatTemplates,
    templates: Record<string, string>,
  ) {
    this.info = JSON.parse(engine.run(() => native.info()));
    const described = JSON.parse(engine.run(() => native.chat())) as ChatDescription;
    this.templates = new templating({ ...described, templates: { ...described.templates, ...templates } });
  }

  encode(text: string, options: EncodeOptions | undefined, where = 'encode'): Int32Array {
    checkOptions(options, encodeRules, where);
    const { addSpecial = true, parseSpecial = false } = options ?? {};
    return this.withText(checkText(text), (bytes) =>
      unwrap(this.native.encode(bytes, addSpecial, parseSpecial)).slice(),
    );
  }

  encodePair(a: string, b: string, options: EncodePairOptions | undefined): EncodedPair {
    checkOptions(options, encodePairRules, 'encodePair');
    const { maxLength = 0 } = options ?? {};
    const first = utf8.encode(checkText(a));
    const second = utf8.encode(checkText(b, 1));
    return this.run(() => {
      const window = this.native.textWindow(first.length + second.length);
      if (!window) throw memoryError(first.length + second.length);
      window.set(first);
      window.set(second, first.length);
      const { ids, types } = unwrap(this.native.encodePair(first.length, second.length, maxLength));
      return { ids: ids.slice(), types: types.slice() };
    });
  }

  applyChatTemplate(messages: readonly ChatMessage[], options: ChatTemplateOptions | undefined): AppliedChatTemplate {
    const { text, originBoundaries } = this.templates.format(messages, options, 'applyChatTemplate');
    return {
      text,
      ids: this.withText(text, (bytes) => unwrap(this.native.encodeChat(bytes, originBoundaries)).slice()),
    };
  }

  decode(ids: readonly number[] | Int32Array, options: DecodeOptions | undefined): string {
    checkOptions(options, decodeRules, 'decode');
    const checked = checkIds(ids);
    return this.run(() => unwrap(this.native.decode(checked, options?.skipSpecial ?? true)));
  }

  token(id: number): string {
    const [checked] = checkIds([id]);
    return this.run(() => this.native.token(checked!));
  }

  id(token: string): number | undefined {
    const id = this.withText(checkText(token), (bytes) => this.native.id(bytes));
    return id < 0 ? undefined : id;
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    // After a trap the whole instance is discarded, with its memory.
    if (this.engine.usable) this.native.delete();
  }

  private withText<T>(text: string, job: (bytes: number) => T): T {
    return this.run(() => withText(this.engine, this.native, text, job));
  }

  private run<T>(job: () => T): T {
    if (this.isClosed) throw closedError();
    return this.engine.run(job);
  }
}
