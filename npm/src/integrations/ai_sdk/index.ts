// quintet/ai-sdk: models of this package for the AI SDK (https://ai-sdk.dev/docs).

import type { ProviderV4 } from '@ai-sdk/provider';
import { unsupported } from '../../base/errors.js';
import type { Embedder } from '../../embed/embedder.js';
import type { TextGenerator } from '../../generate/text_generator.js';
import type { Reranker } from '../../rerank/reranker.js';
import { type QuintetLanguageModel, TextGeneratorModel } from './language_model.js';
import type { Loadable, LoadableModel } from './loadable.js';
import {
  EmbedderModel,
  type QuintetEmbeddingModel,
  type QuintetRerankingModel,
  RerankerModel,
} from './vector_models.js';

export type { QuintetLanguageModel } from './language_model.js';
export type { Availability, Loadable, LoadableModel } from './loadable.js';
export type { QuintetEmbeddingModel, QuintetRerankingModel } from './vector_models.js';

/**
 * A text generator for `generateText`, `streamText` and agents. `source` is a generator, or a function that loads one
 * with the first call and reports how far it is. Options of `generate` that the SDK does not have go into
 * `providerOptions.quintet`.
 */
export const languageModel = (source: LoadableModel<TextGenerator>, modelId = 'text-generator'): QuintetLanguageModel =>
  new TextGeneratorModel(source, modelId);

/**
 * An embedder for `embed` and `embedMany`. `providerOptions.quintet` accepts the options of `Embedder.embed`, such as
 * `role`.
 */
export const embeddingModel = (source: LoadableModel<Embedder>, modelId = 'embedder'): QuintetEmbeddingModel =>
  new EmbedderModel(source, modelId);

/** A reranker for `rerank`. Documents that are objects are ranked as JSON. */
export const rerankingModel = (source: LoadableModel<Reranker>, modelId = 'reranker'): QuintetRerankingModel =>
  new RerankerModel(source, modelId);

/** A model as version 3 of the specification has it, for version 6 of the SDK. */
export const asV3 = <Model extends Loadable & { specificationVersion: 'v4' }>(
  model: Model,
): Omit<Model, 'specificationVersion'> & { specificationVersion: 'v3' } =>
  Object.create(model, { specificationVersion: { value: 'v3', enumerable: true } });

/** The models of a provider, by the names that `languageModel` and its kin are given. */
export interface QuintetModels {
  languageModels?: Readonly<Record<string, LoadableModel<TextGenerator>>>;
  embeddingModels?: Readonly<Record<string, LoadableModel<Embedder>>>;
  rerankingModels?: Readonly<Record<string, LoadableModel<Reranker>>>;
}

export interface QuintetProvider extends ProviderV4 {
  languageModel(name: string): QuintetLanguageModel;
  embeddingModel(name: string): QuintetEmbeddingModel;
  rerankingModel(name: string): QuintetRerankingModel;
}

/** A provider for registries (`createProviderRegistry`) and `customProvider`. Each name stands for one model. */
export function createQuintet({
  languageModels = {},
  embeddingModels = {},
  rerankingModels = {},
}: QuintetModels): QuintetProvider {
  return {
    specificationVersion: 'v4',
    languageModel: byName('language', languageModels, languageModel),
    embeddingModel: byName('embedding', embeddingModels, embeddingModel),
    rerankingModel: byName('reranking', rerankingModels, rerankingModel),
    imageModel: byName('image', {}, () => undefined as never),
  };
}

function byName<Source, Model>(
  kind: string,
  sources: Readonly<Record<string, Source>>,
  modelOf: (source: Source, name: string) => Model,
): (name: string) => Model {
  const models = new Map<string, Model>();
  return (name) => {
    if (!Object.hasOwn(sources, name)) throw unsupported(`there is no ${kind} model '${name}'`);
    const model = models.get(name) ?? modelOf(sources[name]!, name);
    models.set(name, model);
    return model;
  };
}
