// The description of a model as native code gives it, in the shape of the public type.

import type { ModelInfo } from '../base/types.js';

/** `bytes`: length of the file, for formats that do not say it themselves. */
export function parseModelInfo<Info extends ModelInfo = ModelInfo>(json: string, bytes: number): Info {
  const { file_size: fileSize = bytes, tokenizer, ...rest } = JSON.parse(json);
  return { ...rest, fileSize, tokenizer: tokenizer.type === 'none' ? null : tokenizer };
}
