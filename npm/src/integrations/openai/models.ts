// The models that a handler serves, by name.

import { inputError } from '../../base/errors.js';
import type { Embedder } from '../../embed/embedder.js';
import type { TextGenerator } from '../../generate/text_generator.js';
import type { Reranker } from '../../rerank/reranker.js';
import { now } from '../ids.js';
import { ApiError } from './api_error.js';
import type { Fields } from './fields.js';
import type { OpenAIOptions, ServedModelSource } from './types.js';

interface ModelKinds {
  generator: TextGenerator;
  embedder: Embedder;
  reranker: Reranker;
}

/** The methods that distinguish the classes: importing the classes would put all of them into every page. */
const methods: Record<keyof ModelKinds, string> = { generator: 'generate', embedder: 'embed', reranker: 'rank' };

export class Models {
  private readonly sources: ReadonlyMap<string, ServedModelSource>;
  private readonly since = now();

  constructor({ models }: OpenAIOptions) {
    this.sources = new Map(Object.entries(models ?? {}));
    if (this.sources.size === 0)
      throw inputError('missing', 'openAI: models must be an object with a model by its name');
  }

  list(): object {
    return { object: 'list', data: [...this.sources.keys()].map((name) => this.describe(name)) };
  }

  describe(id: string): object {
    if (!this.sources.has(id)) throw unknownModel(id);
    return { id, object: 'model', created: this.since, owned_by: 'quintet' };
  }

  /** The model that a request names. */
  named<Kind extends keyof ModelKinds>(fields: Fields, kind: Kind): Promise<ModelKinds[Kind]> {
    return this.loadAs(fields.require('model'), kind);
  }

  /** The generator that a request names, or the first model. */
  namedOrFirst(fields: Fields): Promise<TextGenerator> {
    return this.loadAs(fields.get<string>('model') ?? [...this.sources.keys()][0]!, 'generator');
  }

  private async loadAs<Kind extends keyof ModelKinds>(name: string, kind: Kind): Promise<ModelKinds[Kind]> {
    const source = this.sources.get(name);
    if (source === undefined) throw unknownModel(name);
    const model = await (typeof source === 'function' ? source() : source);
    if (methods[kind] in model) return model as ModelKinds[Kind];
    throw new ApiError(400, `'${name}' is not a model of the kind ${kind}`, 'model', 'model_not_supported');
  }
}

const unknownModel = (name: string) =>
  new ApiError(404, `there is no model '${name}': see GET /v1/models`, 'model', 'model_not_found');
