// A .weights file does not store how token vectors are pooled; folders of sentence-transformers do.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Output } from './output.js';

/** Warns if the model was trained with another pooling than the default. */
export async function notePooling(folder: string, stderr: Output): Promise<void> {
  const text = await readFile(join(folder, '1_Pooling', 'config.json'), 'utf8').catch(() => '{}');
  const modes = JSON.parse(text) as Record<string, unknown>;
  if (modes['pooling_mode_mean_tokens'] === true) return;
  for (const pooling of ['cls', 'max']) {
    const isUsed = Object.keys(modes).some(
      (mode) => mode.startsWith(`pooling_mode_${pooling}_token`) && modes[mode] === true,
    );
    if (isUsed) await stderr.line(`${folder}: the model was trained with ${pooling} pooling; use it with --pooling ${pooling}`);
  }
}
