// Chooses the modules of npm/src that the browser's bundles share in one chunk: they compress far better together than
// in a chunk for each set of entries that need them. The imports determine them.

/** The bundler chooses the chunks of modules that fewer features need, so that they are loaded only with them. */
const manyFeatures = 4;

/**
 * Groups of chunks for the bundler: what `quintet/safetensors` needs; what pages and workers share; what a page needs at
 * once or for most features, not counting what few pages do (`rare`), with what is too `small` for its own chunk; what
 * most workers need; the engine of the `generator`, a part of which models beyond 4 GB need; and the language of chat
 * templates, of which rare parts are loaded later, after what it shares with schemas. So the code that starts workers is
 * in no worker's chunk: other bundlers would follow it round in a circle.
 */
export function sharedChunks(entries) {
  let members;
  const isEntry = (id) => [entries.page, entries.safetensors, ...entries.workers].includes(id);
  // In this order, because a group also includes the imports of its modules.
  return ['base', 'both', 'first', 'engine', 'generator', 'schemas', 'templates'].map((group, i, { length }) => ({
    debugName: group,
    priority: length - i,
    test: (id) => !isEntry(id),
    name(id, context) {
      members ??= membersOf((other) => context.getModuleInfo(other), entries);
      return members[group].has(id) ? group : null;
    },
  }));
}

function membersOf(getModuleInfo, { page, safetensors, workers, rare, small, generator, templates }) {
  const reached = (id) => closure(id, getModuleInfo);
  const atOnce = reached(page);
  const lazily = [...atOnce].flatMap((id) => getModuleInfo(id)?.dynamicallyImportedIds ?? []);
  const onPage = inMany([...new Set(lazily)].filter((id) => !rare.includes(id)).map(reached));
  const ofWorkers = workers.map(reached);
  const everInWorkers = workers.map((id) => closure(id, getModuleInfo, true));
  const inWorker = (id) => everInWorkers.some((ids) => ids.has(id));
  const ofTemplates = [...reached(templates)];
  const isChat = (id) => id.includes('/src/chat/');
  const anyPage = new Set([...atOnce, ...onPage]);
  return {
    base: new Set([...reached(safetensors)].filter((id) => anyPage.has(id))),
    both: new Set([...anyPage].filter(inWorker)),
    first: new Set([...atOnce, ...small, ...[...onPage].filter((id) => !inWorker(id))]),
    engine: inMany(ofWorkers),
    generator: reached(generator),
    schemas: new Set(ofTemplates.filter((id) => !isChat(id))),
    templates: new Set(ofTemplates.filter(isChat)),
  };
}

/** A module and all that it imports, without or with what is loaded when it is first needed. */
function closure(id, getModuleInfo, withLater = false) {
  const found = new Set([id]);
  for (const each of found) {
    const { importedIds = [], dynamicallyImportedIds = [] } = getModuleInfo(each) ?? {};
    for (const imported of withLater ? [...importedIds, ...dynamicallyImportedIds] : importedIds) found.add(imported);
  }
  return found;
}

/** The members of many of these. */
function inMany(closures) {
  const all = new Set(closures.flatMap((ids) => [...ids]));
  return new Set([...all].filter((id) => closures.filter((ids) => ids.has(id)).length >= manyFeatures));
}
