// Which files of a repository a class reads.

import { inputError, unsupported, type QuintetError } from '../../base/errors.js';
import { configFile, isSentenceFile, isTemplateFile, moduleFiles, shardList, wholeWeights } from '../bytes/folder_files.js';
import { inReadingOrder } from '../bytes/named_source.js';
import { partsOf } from '../bytes/split_files.js';
import type { RepositoryFile } from './types.js';
import { chosenGguf } from './gguf_models.js';
import type { HubName } from './hub_name.js';
import { hasVocabulary, readers, type Reader, type ReaderRow, type WeightKind } from './readers.js';
import { unreadable } from './unreadable_files.js';

export interface Chosen {
  /** Empty where the name does not matter: a file that is the whole model, or a part of it. */
  name: string;
  file: RepositoryFile;
}

type Files = ReadonlyMap<string, RepositoryFile>;
type Paths = readonly string[];

/** `name`: as it was asked for, with its parts for messages. */
export function chosenFiles(listed: readonly RepositoryFile[], reader: Reader, { file, quant, repository }: HubName): Chosen[] {
  const files: Files = new Map(listed.map((each) => [each.path, each]));
  const paths = [...files.keys()].sort();
  if (file !== undefined) return inOrder(files, partsNamed(paths, file, repository), false);
  const row: ReaderRow = readers[reader];
  const kinds = quant === undefined ? row.kinds : row.kinds.filter((kind) => kind === 'gguf');
  for (const kind of kinds) {
    const found = finders[kind](paths, row, quant, repository);
    const isFolder = kind === 'none' || (kind === 'safetensors' && !row.isSingle);
    if (found.length > 0) return inOrder(files, checkSingle(found, row, repository), isFolder);
  }
  throw nothingFor(row, paths, quant, repository);
}

const finders: Record<WeightKind, (paths: Paths, row: ReaderRow, quant: string | undefined, repository: string) => Paths> = {
  safetensors(paths, row) {
    const { hasModules, isSingle } = row;
    const weights = weightFiles(paths);
    if (isSingle) return weights;
    const modules = hasModules ? filesOfModules(paths) : [];
    if (!paths.includes(configFile)) return isWhole(modules) ? modules : [];
    if (weights.length === 0) return [];
    const list = weights.length > 1 && paths.includes(shardList) ? [shardList] : [];
    return [...besideOf(paths, row), ...modules, ...list, ...weights];
  },
  gguf: (paths, _row, quant, repository) => chosenGguf(paths, quant, repository),
  own(paths, { own, who }, _quant, repository) {
    const found = paths.filter((path) => own.some((ending) => path.endsWith(ending)));
    if (found.length <= 1) return found;
    throw severalOf(who, repository, found);
  },
  none: (paths, row) => (hasVocabulary(paths) ? besideOf(paths, row) : []),
};

/** tokenizer.json says all that vocab.txt does. */
function besideOf(paths: Paths, { beside, hasTemplates }: ReaderRow): Paths {
  const found = beside.filter((name) => paths.includes(name) && !(name === 'vocab.txt' && paths.includes('tokenizer.json')));
  return hasTemplates ? [...found, ...paths.filter(isTemplateFile)] : found;
}

/** Static embeddings are the first module, 0_StaticEmbedding, and need no model next to it. */
const isWhole = (modules: Paths): boolean =>
  modules.includes('modules.json') && modules.some((path) => path.endsWith(`/${wholeWeights}`));

function filesOfModules(paths: Paths): Paths {
  const folders = paths.includes(configFile) ? /^[1-9]\d?_\w+$/ : /^\d\d?_\w+$/;
  return paths.filter((path) => {
    const [folder = '', file = '', ...further] = path.split('/');
    return isSentenceFile(path) || (folders.test(folder) && moduleFiles.includes(file) && further.length === 0);
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
  const shown = paths.slice(0, mostShown);
  const more = paths.length > mostShown ? ` and ${paths.length - mostShown} more` : '';
  throw inputError('missing', `${repository} has no file ${absent}; it has ${shown.join(', ')}${more}`);
}
const mostShown = 20;

function inOrder(files: Files, paths: Paths, isFolder: boolean): Chosen[] {
  const chosen = paths.map((path) => ({ name: isFolder ? path : '', file: files.get(path)! }));
  return isFolder ? chosen.sort(inReadingOrder) : chosen;
}

function checkSingle(found: Paths, { isSingle, who }: ReaderRow, repository: string): Paths {
  if (!isSingle || found.length === 1) return found;
  throw severalOf(who, repository, found);
}

const severalOf = (who: string, repository: string, found: Paths): QuintetError =>
  inputError('mismatch', `${who} reads one file, and ${repository} has several: name one, hf:${repository}/${found[0]}. There are ${found.join(', ')}`);

const needed: Record<WeightKind, string> = {
  safetensors: 'config.json and *.safetensors',
  gguf: '*.gguf',
  own: '',
  none: 'a tokenizer',
};

function nothingFor({ who, kinds, own }: ReaderRow, paths: Paths, quant: string | undefined, repository: string): QuintetError {
  if (quant !== undefined) {
    return inputError('missing', `${repository} has no GGUF model for ${who}, so ':${quant}' cannot be chosen${unreadable(paths)}`);
  }
  const wanted = kinds.flatMap((kind) => (kind === 'own' ? own.map((ending) => `*${ending}`) : [needed[kind]]));
  return unsupported(`${repository} has nothing that ${who} reads: that is ${wanted.join(', or ')}${unreadable(paths)}`);
}
