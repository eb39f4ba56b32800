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

export const describingFiles: readonly string[] = [configFile, ...textFiles, shardList];
