// Models that a visitor chooses as files of this device.

import type { ModelFolder } from 'quintet';

/** The files of a folder, or a single one. */
export const sourceOf = (files: readonly File[]): Blob | ModelFolder =>
  files.length === 1 ? files[0]! : Object.fromEntries(files.map((file) => [file.name, file]));

/** The name to show. */
export const nameOf = (files: readonly File[]): string =>
  files.length === 1 ? files[0]!.name : files[0]!.webkitRelativePath.split('/')[0] || 'the model from files';
