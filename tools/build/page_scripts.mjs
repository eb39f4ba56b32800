// Which of the package's scripts a page downloads.
import { readFileSync } from 'node:fs';

import { dist } from './paths.mjs';

const imports = /["'`]\.\/([\w-]+\.js)["'`]/g;

/** What only pages of a kind load, by exports of the scripts for it. */
const onlyFor = {
  embedding: ['loadEmbedder', 'loadEmbedderHost'],
  reranking: ['loadReranker', 'loadRerankerHost'],
  generating: ['loadGenerator', 'loadGeneratorHost'],
  classifying: ['loadClassifier', 'loadClassifierHost'],
  'reading files': ['readFile', 'startInspectHost', 'startFilesHost'],
  tokenizing: ['loadTokenizer'],
};
/** What hardly any page loads, likewise. */
const rare = [
  ...['convertedPieces', 'Conversion', 'writeIndexFile', 'mergeIndexFiles', 'openSafetensors', 'loadStored', 'resumed', 'loadOtherwise'],
  ...['loadMemory64Host', 'openCache', 'findFault', 'openHubSource', 'findHubFiles', 'ChatTemplates', 'exchangeOf', 'parseExactly'],
  ...['parts', 'callFormatOf', 'forcedTools'],
  ...['KeywordIndex', 'startSearchTeam', 'TextBatches', 'feedFiles', 'Sha256', 'compileSource', 'TokenGrammars', 'readTemplate', 'wholeFile'],
];

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
    for (const [, imported] of text.matchAll(imports)) if (!imported.endsWith('worker.js')) scripts.add(imported);
  }
  return [...scripts];
}

/** Those of a page that does one thing, in this worker if in one. `more`: what it uses of what hardly any page loads. */
export function scriptsOfPage(doing, worker, more = []) {
  const others = Object.entries(onlyFor).flatMap(([kind, exports]) => (kind === doing ? [] : exports));
  return scriptsOf(['index.js', ...(worker ? [worker] : [])], [...others, ...rare.filter((exported) => !more.includes(exported))]);
}
