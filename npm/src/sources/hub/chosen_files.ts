// The files of a repository, or of a folder in its layout, that a class reads.

import { inputError, type QuintetError, unsupported } from '../../base/errors.js';
import { inReadingOrder, isTemplateFile, modelName, partsOf } from '../folder.js';
import type { Reader, WeightKind } from '../types.js';
import type { HubName, RepositoryFile } from './types.js';
import { unreadable } from './unreadable_files.js';

// Names of the files of a model in the layout of Hugging Face.
export const configFile = 'config.json';
/** config.json, or that of open_clip, which only some classes read. */
const isConfig = (name: string): boolean => /^(open_clip_)?config\.json$/.test(name);
export const shardList = 'model.safetensors.index.json';
export const wholeWeights = 'model.safetensors';

/** A tokenizer is one of these, or several forms of it. */
export const vocabularyFiles: readonly string[] = [
  'tokenizer.json',
  'tokenizer.model',
  'sentencepiece.bpe.model',
  'vocab.txt',
];

/** Files of the tokenizer, and of how texts become prompts. */
export const textFiles: readonly string[] = [
  ...vocabularyFiles,
  'tokenizer_config.json',
  'special_tokens_map.json',
  'chat_template.jinja',
  'generation_config.json',
];

/** Files of Sentence Transformers (https://www.sbert.net/docs/sentence_transformer/usage/custom_models.html). */
export const isSentenceFile = (name: string): boolean =>
  /^(modules|router_config|config_sentence_transformers|sentence_[\w-]+_config)\.json$/.test(name);

/**
 * The files of a module that has a folder: 1_Pooling, 2_Dense and so on; of a Router's network all that a model
 * has, in document_0_MLMTransformer.
 */
export const moduleFiles = (folder: string): readonly string[] =>
  folder.endsWith('Transformer')
    ? [...describingFiles, 'sentence_bert_config.json', wholeWeights]
    : [configFile, 'tokenizer.json', wholeWeights];

export const describingFiles: readonly string[] = [configFile, ...textFiles, shardList];

export interface Chosen {
  /** Empty where the name does not matter: a file that is the whole model, or a part of it. */
  name: string;
  file: RepositoryFile;
}

type Files = ReadonlyMap<string, RepositoryFile>;
type Paths = readonly string[];

const usualKinds: readonly WeightKind[] = ['safetensors', 'gguf', 'own'];

/** `name`: as requested, with its parts for messages. */
export function chosenFiles(
  listed: readonly RepositoryFile[],
  reader: Reader,
  { file, quant, repository }: HubName,
): Chosen[] {
  const files: Files = new Map(listed.map((each) => [each.path, each]));
  const paths = [...files.keys()].sort();
  if (file !== undefined) return inOrder(files, partsNamed(paths, file, repository), false);
  const { kinds: all = usualKinds } = reader;
  const kinds = quant === undefined ? all : all.filter((kind) => kind === 'gguf');
  for (const kind of kinds) {
    const found = finders[kind](paths, reader, quant, repository);
    const isFolder = kind === 'none' || (kind === 'safetensors' && reader.single === undefined);
    if (found.length > 0) return inOrder(files, checkSingle(found, reader, repository), isFolder);
  }
  throw nothingFor(reader, paths, quant, repository);
}

const finders: Record<
  WeightKind,
  (paths: Paths, reader: Reader, quant: string | undefined, repository: string) => Paths
> = {
  safetensors(paths, reader) {
    const { weights: only, hasModules, single, describing } = reader;
    if (only !== undefined) return paths.includes(only) ? [...besideOf(paths, reader), only] : [];
    const weights = weightFiles(paths);
    if (single !== undefined) return weights;
    const modules = hasModules ? filesOfModules(paths) : [];
    const isDescribed = [configFile, ...(describing ?? [])].some((name) => paths.includes(name) && isConfig(name));
    if (!isDescribed) return isWhole(modules) ? modules : [];
    if (weights.length === 0) return [];
    const list = weights.length > 1 && paths.includes(shardList) ? [shardList] : [];
    return [...besideOf(paths, reader), ...modules, ...list, ...weights];
  },
  gguf: (paths, _reader, quant, repository) => chosenGguf(paths, quant, repository),
  own(paths, { own, who }, _quant, repository) {
    const found = paths.filter((path) => own.some((ending) => path.endsWith(ending)));
    if (found.length <= 1) return found;
    throw severalOf(who, repository, found);
  },
  none: (paths, reader) => (vocabularyFiles.some((name) => paths.includes(name)) ? besideOf(paths, reader) : []),
};

/** tokenizer.json contains all that vocab.txt does. */
/** Defines how transformers prepares pictures. */
export const preprocessorFile = 'preprocessor_config.json';

function besideOf(paths: Paths, { describing, others = [], hasImages, hasTemplates }: Reader): Paths {
  if (describing) return describedBy(paths, describing);
  const found = [configFile, ...(hasImages ? [preprocessorFile] : []), ...textFiles, ...others].filter(
    (name) => paths.includes(name) && !(name === 'vocab.txt' && paths.includes('tokenizer.json')),
  );
  return hasTemplates ? [...found, ...paths.filter(isTemplateFile)] : found;
}

/** tokenizer.json contains what spiece.model does. */
export const describedBy = (paths: Paths, describing: Paths): Paths =>
  describing.filter((name) => paths.includes(name) && !(name === 'spiece.model' && paths.includes('tokenizer.json')));

/** Static embeddings are the first module, 0_StaticEmbedding, and need no model next to it. */
const isWhole = (modules: Paths): boolean =>
  modules.includes('modules.json') && modules.some((path) => path.endsWith(`/${wholeWeights}`));

function filesOfModules(paths: Paths): Paths {
  const folders = paths.includes(configFile)
    ? /^([1-9]\d?|(query|document)_\d)_\w+$/
    : /^((query|document)_)?\d\d?_\w+$/;
  return paths.filter((path) => {
    const [folder = '', file = '', ...further] = path.split('/');
    return isSentenceFile(path) || (folders.test(folder) && moduleFiles(folder).includes(file) && further.length === 0);
  });
}

/** Whole, in shards, or in another file of their author. */
function weightFiles(paths: Paths): Paths {
  const shards = paths.filter((path) => /^model-\d{5}-of-\d{5}\.safetensors$/.test(path));
  if (paths.includes(shardList) && shards.length > 0) return shards;
  if (paths.includes(wholeWeights)) return [wholeWeights];
  return paths.filter((path) => /^[^/]+\.safetensors$/.test(path) && !/^adapter_|^consolidated/.test(path));
}

/** The file, or all parts of a split GGUF model. */
function partsNamed(paths: Paths, file: string, repository: string): Paths {
  const parts = partsOf(file) ?? [file];
  const absent = parts.find((part) => !paths.includes(part));
  if (absent === undefined) return parts;
  const shown = paths.slice(0, maxShown);
  const more = paths.length > maxShown ? ` and ${paths.length - maxShown} more` : '';
  throw inputError('missing', `${repository} has no file ${absent}; it has ${shown.join(', ')}${more}`);
}
const maxShown = 20;

function inOrder(files: Files, paths: Paths, isFolder: boolean): Chosen[] {
  const chosen = paths.map((path) => ({ name: isFolder ? path : '', file: files.get(path)! }));
  return isFolder ? chosen.sort(inReadingOrder) : chosen;
}

function checkSingle(found: Paths, { single, who }: Reader, repository: string): Paths {
  if (single === undefined || found.length === 1) return found;
  throw severalOf(who, repository, found);
}

const severalOf = (who: string, repository: string, found: Paths): QuintetError =>
  inputError(
    'mismatch',
    `${who} reads one file, and ${repository} has several: name one, hf:${repository}/${found[0]}. There are ${found.join(', ')}`,
  );

const needed: Record<WeightKind, string> = {
  safetensors: 'config.json and *.safetensors',
  gguf: '*.gguf',
  own: '',
  none: 'a tokenizer',
};

function nothingFor(
  { who, kinds = usualKinds, own }: Reader,
  paths: Paths,
  quant: string | undefined,
  repository: string,
): QuintetError {
  if (quant !== undefined) {
    return inputError(
      'missing',
      `${repository} has no GGUF model for ${who}, so ':${quant}' cannot be chosen${unreadable(paths)}`,
    );
  }
  const wanted = kinds.flatMap((kind) => (kind === 'own' ? own.map((ending) => `*${ending}`) : [needed[kind]]));
  return unsupported(
    `${repository} has nothing that ${who} reads: that is ${wanted.join(', or ')}${unreadable(paths)}`,
  );
}

// The GGUF models of a repository, and which of them is taken.

/** The usual choice: near the quality of the original, at a third of its size. */
const defaultQuant = 'Q4_K_M';

/** llama.cpp's names of file types, with prefixes of repackagers: Q4_K_M, IQ4_XS, BF16, UD-Q4_K_XL, TQ1_0, MXFP4. */
const quantName = /(?:^|[-._/])((?:UD-)?(?:I?Q\d(?:_[A-Z0-9]+)*|TQ\d_\d|MXFP4(?:_MOE)?|BF16|F16|F32))(?=$|[-._/])/gi;

/** Files that are not the model itself: projectors of images, data of quantizers, drafts. */
const notModels = /(?:^|[-._/])(mmproj|imatrix|mtp)(?=$|[-._/])/i;

/** The parts of the chosen model; none if there is no GGUF model. */
export function chosenGguf(paths: Paths, quant: string | undefined, repository: string): string[] {
  const models = new Map<string, string[]>();
  for (const path of paths) {
    if (!path.endsWith('.gguf') || notModels.test(path)) continue;
    const name = modelName(path);
    models.set(name, [...(models.get(name) ?? []), path]);
  }
  const names = [...models.keys()];
  if (names.length === 0) return [];
  const wanted = names.filter((name) => quantOf(name) === (quant ?? defaultQuant).toUpperCase());
  if (wanted.length === 1) return models.get(wanted[0]!)!;
  if (quant === undefined && names.length === 1) return models.get(names[0]!)!;
  throw refusal(repository, quant, wanted, names);
}

/** The last one: a folder may be named like the model, or after another quantization. */
const quantOf = (name: string): string | undefined =>
  [...name.replace(/\.gguf$/, '').matchAll(quantName)].at(-1)?.[1]?.toUpperCase();

function refusal(repository: string, quant: string | undefined, wanted: Paths, names: Paths) {
  if (wanted.length > 1) {
    return inputError(
      'mismatch',
      `${repository} has several models of that type, name one: ${wanted.map((name) => `hf:${repository}/${name}`).join(', ')}`,
    );
  }
  const there = names.map((name) => {
    const found = quantOf(name);
    return found === undefined ? `/${name}` : `:${found}`;
  });
  const missing = quant === undefined ? `no ${defaultQuant}, the default` : `no '${quant}'`;
  return inputError('missing', `${repository} has ${missing}; there is ${[...new Set(there)].join(', ')}`);
}
