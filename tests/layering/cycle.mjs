/** A path through `graph` ({ node: next nodes }) that ends where it began, or undefined. */
export function findCycle(graph) {
  const finished = new Set();
  const walk = (node, path) => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (finished.has(node)) return undefined;
    for (const next of graph[node] ?? []) {
      const cycle = walk(next, [...path, node]);
      if (cycle) return cycle;
    }
    finished.add(node);
    return undefined;
  };
  for (const node of Object.keys(graph)) {
    const cycle = walk(node, []);
    if (cycle) return cycle;
  }
  return undefined;
}
