// The GGUF models of a repository, and which of them is taken.

import { inputError } from '../../base/errors.js';
import { modelName } from '../bytes/split_files.js';

/** What most people take: near the quality of the original, at a third of its size. */
const usual = 'Q4_K_M';

/** As llama.cpp names types of files, with what repackagers put in front: Q4_K_M, IQ4_XS, BF16, UD-Q4_K_XL, TQ1_0, MXFP4. */
const quantName = /(?:^|[-._/])((?:UD-)?(?:I?Q\d(?:_[A-Z0-9]+)*|TQ\d_\d|MXFP4(?:_MOE)?|BF16|F16|F32))(?=$|[-._/])/gi;

/** Files that are not the model itself: projectors of images, data of quantizers, drafts. */
const besides = /(?:^|[-._/])(mmproj|imatrix|mtp)(?=$|[-._/])/i;

/** The parts of the chosen model; none if there is no GGUF model. */
export function chosenGguf(paths: readonly string[], quant: string | undefined, repository: string): string[] {
  const models = new Map<string, string[]>();
  for (const path of paths) {
    if (!path.endsWith('.gguf') || besides.test(path)) continue;
    const name = modelName(path);
    models.set(name, [...(models.get(name) ?? []), path]);
  }
  const names = [...models.keys()];
  if (names.length === 0) return [];
  const wanted = names.filter((name) => quantOf(name) === (quant ?? usual).toUpperCase());
  if (wanted.length === 1) return models.get(wanted[0]!)!;
  if (quant === undefined && names.length === 1) return models.get(names[0]!)!;
  throw refusal(repository, quant, wanted, names);
}

/** The last one: a folder may be named like the model, or after another quantization. */
const quantOf = (name: string): string | undefined =>
  [...name.replace(/\.gguf$/, '').matchAll(quantName)].at(-1)?.[1]?.toUpperCase();

function refusal(repository: string, quant: string | undefined, wanted: readonly string[], names: readonly string[]) {
  if (wanted.length > 1) {
    return inputError('mismatch', `${repository} has several models of that type, name one: ${wanted.map((name) => `hf:${repository}/${name}`).join(', ')}`);
  }
  const there = names.map((name) => {
    const found = quantOf(name);
    return found === undefined ? `/${name}` : `:${found}`;
  });
  const missing = quant === undefined ? `no ${usual}, which is taken where nothing is said` : `no '${quant}'`;
  return inputError('missing', `${repository} has ${missing}; there is ${[...new Set(there)].join(', ')}`);
}
