// Names of the files of a model in the layout of Hugging Face, which describe it besides its weights.

export const configFile = 'config.json';
export const shardList = 'model.safetensors.index.json';
export const wholeWeights = 'model.safetensors';

/** A tokenizer is one of these, or several forms of it. */
export const vocabularyFiles: readonly string[] = ['tokenizer.json', 'tokenizer.model', 'sentencepiece.bpe.model', 'vocab.txt'];

/** What a tokenizer needs, and how texts become prompts. */
export const textFiles: readonly string[] = [
  ...vocabularyFiles, 'tokenizer_config.json', 'special_tokens_map.json', 'chat_template.jinja', 'generation_config.json',
];

/** Where transformers saves further chat templates, each under its name. */
export const templateFolder = 'additional_chat_templates';
export const isTemplateFile = (path: string): boolean => /^additional_chat_templates\/[^/]+\.jinja$/.test(path);

/** What Sentence Transformers writes next to a model (https://www.sbert.net/docs/sentence_transformer/usage/custom_models.html). */
export const isSentenceFile = (name: string): boolean =>
  /^(modules|config_sentence_transformers|sentence_[\w-]+_config)\.json$/.test(name);

/** Of a module in a folder of its own: 1_Pooling, 2_Dense and so on. */
export const moduleFiles: readonly string[] = [configFile, 'tokenizer.json', wholeWeights];

export const describingFiles: readonly string[] = [configFile, ...textFiles, shardList];
