// Which modules of npm/src the browser's bundles share in one chunk: they compress far better together than in a chunk for
// each set of entries that need them. The layers and the imports tell it.

/** Folders of npm/src that all features build on. */
const sharedFolders = ['base', 'bytes', 'images', 'platform', 'model_cache', 'engine', 'remote', 'text'];

/**
 * Groups of chunks for the bundler: what `quintet/safetensors` needs; what pages and workers share; what a page needs for
 * more than one feature; what workers need. What starts workers is so in no worker's chunk: other bundlers would follow it
 * round in a circle. What only one feature needs, or few pages do, is left to the bundler.
 */
export function sharedChunks(source, entries) {
  let members;
  const isEntry = (id) => [entries.page, entries.safetensors, ...entries.workers].includes(id);
  const isShared = (id) => !isEntry(id) && sharedFolders.some((folder) => id.startsWith(`${source}${folder}/`));
  // In this order: a group takes what its modules import as well.
  return ['base', 'both', 'page', 'engine'].map((group, i, { length }) => ({
    debugName: group,
    priority: length - i,
    test: isShared,
    name(id, context) {
      members ??= membersOf((other) => context.getModuleInfo(other), entries, isShared);
      return members[group].has(id) ? group : null;
    },
  }));
}

function membersOf(getModuleInfo, { page, safetensors, workers }, isShared) {
  const reached = (ids) => closure(ids, getModuleInfo);
  const inPage = reached([page]);
  const inWorkers = reached(workers);
  // The features, which the page loads when they are first needed. What shared folders load so hardly any page does.
  const parts = partsOf(inPage, getModuleInfo).filter((id) => !isShared(id)).map((id) => reached([id]));
  const inParts = (id) => parts.filter((part) => part.has(id)).length > 1;
  const onPage = new Set([...inPage, ...parts.flatMap((part) => [...part]).filter(inParts)]);
  return {
    base: reached([safetensors]),
    both: new Set([...onPage].filter((id) => inWorkers.has(id))),
    page: onPage,
    engine: inWorkers,
  };
}

/** All modules that these import, but for those that are loaded when they are first needed. */
function closure(ids, getModuleInfo) {
  const found = new Set(ids);
  for (const id of found) for (const imported of getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}

const partsOf = (ids, getModuleInfo) => [
  ...new Set([...ids].flatMap((id) => getModuleInfo(id)?.dynamicallyImportedIds ?? [])),
];
