// Pages that are rendered ahead of time import the element in Node.

test('importing the element in Node has no effect', async () => {
  const before = Object.keys(globalThis);
  const { QuintetSearch, highlightWords } = await import('../../../../dist/quintet-search.js');
  expect(Object.keys(globalThis)).toEqual(before);
  expect([typeof QuintetSearch, typeof highlightWords]).toEqual(['function', 'function']);
  expect(highlightWords({ root: null, words: ['a'] })).toBe(0);
});
