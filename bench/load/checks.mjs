// Turns what was measured into lines of a table: { section, what, quintet, peer, ratio, target, met }.

/** Of the time for reading and hashing, and of the size of the file. */
const MOST_TIME = 1.15;
const MOST_MEMORY = 1.1;
const MEGABYTE = 1e6;

export function checksOf({ model, node, chromium, memory }) {
  return [
    time('Node 24', model, node.loaded, node.hashed),
    time('Node 24', `${model}, with integrity`, node.verified, node.hashed),
    time('Chromium', model, chromium.loaded, chromium.hashed),
    memoryCheck(model, memory),
  ];
}

function time(host, what, ours, hashed) {
  const ratio = ours.best / hashed.best;
  return {
    section: `${host}: load, beside reading and hashing, seconds, best / median`,
    what,
    quintet: times(ours),
    peer: times(hashed),
    ratio,
    target: `<= ${MOST_TIME} x`,
    met: ratio <= MOST_TIME,
  };
}

function memoryCheck(model, { file, resident, idle, wasm }) {
  const ours = resident - idle;
  const ratio = ours / file;
  return {
    section: 'Node 24: peak memory beyond that of Node itself, beside the file, MB',
    what: `${model}; WebAssembly has ${megabytes(wasm)}`,
    quintet: megabytes(ours),
    peer: megabytes(file),
    ratio,
    target: `<= ${MOST_MEMORY} x`,
    met: ratio <= MOST_MEMORY,
  };
}

const times = ({ best, median }) => `${best.toFixed(2)} / ${median.toFixed(2)}`;
const megabytes = (bytes) => (bytes / MEGABYTE).toFixed(0);
