// Where a chunk serves both import() and other chunks, Rolldown gives import() an object with a getter for each export,
// and every page has to request the script that makes such objects. Exports under their own names do as well.

/** In the minified chunk; it also has `export{object as short}`. */
const declaration = /(var |,)([\w$]+)=[\w$]+\(\{([^{}]*)\},1\)([,;])/;

/** Changes the minified chunks of a bundle. Drops the one that makes the objects, if none is left. */
export function exportByName(bundle) {
  const chunks = Object.values(bundle);
  const maker = chunks.find(({ moduleIds }) => moduleIds.every((id) => id.includes('rolldown/runtime')));
  if (!maker) return;
  for (const chunk of chunks) exportNames(chunk, chunks, maker);
  if (!chunks.some(({ code }) => code.includes(maker.fileName))) delete bundle[maker.fileName];
}

function exportNames(chunk, chunks, maker) {
  const [declared, before, object, list, after] = declaration.exec(chunk.code) ?? [];
  const [, body, exported] = /^(.*)export\{(.*)\};$/s.exec(chunk.code) ?? [];
  const exports = exported?.split(',') ?? [];
  const entry = exports.find((each) => each === object || each.startsWith(`${object} as `));
  if (!declared || !entry) return;
  const short = entry.split(' as ').at(-1);
  const getters = list.split(',').map((getter) => getter.split(':()=>'));
  const isUsedHere = getters.some(([name]) => body.includes(`${object}.${name}`));
  const imported = new RegExp(`import(?=\\{)[^}]*[{,]${short}(?=[ ,}])[^}]*\\}from"\\./${chunk.fileName}"`);
  if (isUsedHere || chunks.some(({ code }) => imported.test(code))) return;
  const named = getters.map(([name, local]) => `${local} as ${name}`);
  const others = exports.filter((each) => each !== entry);
  const rest = body.replace(declared, before === ',' ? after : after === ',' ? before : '');
  const makerImport = new RegExp(`import\\{t( as \\S+?)?\\}from"\\./${maker.fileName}";`);
  const code = declaration.test(rest) ? rest : rest.replace(makerImport, '');
  chunk.code = `${code}export{${[...new Set([...others, ...named])]}};`;
  const awaited = new RegExp(`(?<=import\\("\\./${chunk.fileName}"\\))\\.then\\((\\w+)=>\\1\\.${short}\\)`, 'g');
  for (const each of chunks) each.code = each.code.replace(awaited, '');
}
