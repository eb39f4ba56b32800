// Which of the package's scripts a page downloads.
import { readFileSync } from 'node:fs';

import { dist } from './paths.mjs';

const imports = /["'`]\.\/([\w-]+\.js)["'`]/g;

/** By what only pages of a kind load: exports of the scripts for it. */
const onlyFor = {
  embedding: ['loadSentenceEmbedder', 'inspectModel'],
  generating: ['loadTextGenerator', 'loadGenerator'],
  classifying: ['loadImageClassifier', 'loadClassifier'],
};

/** Scripts of dist/ that these load, at once or later, but for what has one of these exports, and all that only that needs. */
export function scriptsOf(entries, withoutExports = []) {
  const scripts = new Set(entries);
  for (const name of scripts) {
    const text = readFileSync(`${dist}${name}`, 'utf8');
    if (withoutExports.some((exported) => new RegExp(`\\bas ${exported}\\b|\\b${exported}:\\(\\)=>`).test(text))) {
      scripts.delete(name);
      continue;
    }
    // Which worker a page starts is for the caller to say.
    for (const [, imported] of text.matchAll(imports)) if (!imported.endsWith('embedder_worker.js')) scripts.add(imported);
  }
  return [...scripts];
}

/** Those of a page that does one thing with this worker, and nothing with `others`. */
export function scriptsOfPage(doing, worker, others = []) {
  const rest = Object.entries(onlyFor).flatMap(([kind, exports]) => (kind === doing ? [] : exports));
  const rare = [
    ...['convertModel', 'writeIndexFile', 'mergeIndexFiles', 'openStored', 'resumed', 'loadOtherwise'],
    ...['loadGeneratorInMemory64', 'findFault'],
  ];
  return scriptsOf(['index.js', worker], [...rest, ...rare, ...others]);
}
