// What a model is called: by its caller, and by its files.

import type { ModelInfo, ModelInput } from '../base/types.js';
import { isA } from '../base/values.js';
import { isFolder, isList } from '../sources/folder.js';

/** The names of a model, each in a line. */
export const modelNames = (source: ModelInput, { metadata }: ModelInfo): string =>
  [namesOf(source), metadata['name'], metadata['general.name']].join('\n');

/** Of the folder and the file at a location, or of the files. */
function namesOf(source: ModelInput): string {
  if (typeof source === 'string' || isA(source, 'URL')) return String(source).split('/').slice(-2).join('/');
  if (isList(source) || isFolder(source)) return Object.values(source).map(namesOf).join('\n');
  return isA(source, 'File') ? (source as unknown as File).name : '';
}
