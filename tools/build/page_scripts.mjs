// The scripts of the package that a page downloads.
import { readFileSync } from 'node:fs';
import { features, workerOf } from '../../npm/features.mjs';
import { dist } from './paths.mjs';

const imports = /["'`]\.\/([\w-]+\.js)["'`]/g;

const computeThread = 'compute_thread.js';

/** Parts that hardly any page loads, by exports of the scripts for them. */
const rare = `
  convertedPieces Conversion saveIndex mergeIndexFiles openSafetensors loadStored resumed loadOtherwise
  loadMemory64Host openCache findFault openHubSource findHubFiles ChatTemplates exchangeOf parseExactly takeTurn
  jsonResult processingOf perplexityAfter parts callFormatOf forcedTools Guesser drafting lanesOf generateShared middleIds
  sendAdapter readAdapter collectWords searchTexts severalStorage TokenClient startThreads Batches missingPrompts
  feedFiles scoringRequest Sha256 compileSource TokenGrammars readTemplate SessionCaches adaptedFiles weightsOf withOneFile addImages
  translatedFiles
`
  .trim()
  .split(/\s+/);

/**
 * Scripts of dist/ that these load, at once or later, except those with one of these exports, and scripts that only
 * those need.
 */
export function scriptsOf(entries, withoutExports = []) {
  const scripts = new Set(entries);
  for (const name of scripts) {
    const text = readFileSync(`${dist}${name}`, 'utf8');
    if (withoutExports.some((exported) => new RegExp(`\\bas ${exported}\\b|\\b${exported}:\\(\\)=>`).test(text))) {
      scripts.delete(name);
      continue;
    }
    // The caller states which workers and threads a page starts.
    for (const [, imported] of text.matchAll(imports))
      if (!/(worker|thread)\.js$/.test(imported)) scripts.add(imported);
  }
  return [...scripts];
}

/** Scripts of a page that uses one feature, in its worker if it has one; also rare ones with the exports `used`. */
export function scriptsOfPage(feature, used = []) {
  const others = features.flatMap((row) => (row === feature ? [] : (row.parts ?? [])));
  const worker = workerOf(feature);
  const started = [
    ...(worker ? [`${worker.name}.js`] : []),
    ...(feature.options.includes('threads') ? [computeThread] : []),
  ];
  return scriptsOf(['index.js', ...started], [...others, ...rare.filter((name) => !used.includes(name))]);
}
