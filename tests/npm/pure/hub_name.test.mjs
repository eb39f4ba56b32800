// Names of models of the Hub. What a repository may be called is huggingface_hub's rule (validate_repo_id).
import { importSource } from '../helpers/source.mjs';

const { isPath, parseHubName } = await importSource('sources/hub/model.ts');

const main = { repository: 'Qwen/Qwen3-0.6B-GGUF', revision: 'main' };

test.each([
  ['hf:Qwen/Qwen3-0.6B-GGUF', main],
  ['hf://Qwen/Qwen3-0.6B-GGUF', main],
  ['HF://models/Qwen/Qwen3-0.6B-GGUF', main],
  ['Qwen/Qwen3-0.6B-GGUF', main],
  ['hf:Qwen/Qwen3-0.6B-GGUF:Q8_0', { ...main, quant: 'Q8_0' }],
  ['hf:Qwen/Qwen3-0.6B-GGUF/a folder/model.gguf', { ...main, file: 'a folder/model.gguf' }],
  ['hf:Qwen/Qwen3-0.6B-GGUF@v1.0:Q8_0', { ...main, revision: 'v1.0', quant: 'Q8_0' }],
  ['hf:Qwen/Qwen3-0.6B-GGUF@refs/pr/1/model.gguf', { ...main, revision: 'refs/pr/1', file: 'model.gguf' }],
  ['hf:Qwen/Qwen3-0.6B-GGUF@refs/convert/parquet', { ...main, revision: 'refs/convert/parquet' }],
  ['hf:Qwen/Qwen3-0.6B-GGUF@branch/model.gguf', { ...main, revision: 'branch', file: 'model.gguf' }],
])('%s', (name, expected) => expect(parseHubName(name)).toEqual(expected));

test.each([
  'hf:',
  'hf:gpt2',
  'hf:/name',
  'hf:owner/',
  'hf:-owner/name',
  'hf:owner/.name',
  'hf:owner/name.',
  'hf:owner/na--me',
  'hf:owner/na..me',
  `hf:owner/${'a'.repeat(97)}`,
  'hf:owner/name@',
  'hf:owner/name@..',
  'hf:owner/name:',
  'hf:owner/name:Q8_0/model.gguf',
  'hf:owner/name/',
  'hf:owner/name//model.gguf',
  'hf:owner/name/../secret',
  'hf:owner/name/C:\\secret',
  'hf:owner/name?download=1',
])('%s is rejected', (name) => {
  expect(() => parseHubName(name)).toThrow(expect.objectContaining({ code: 'INPUT', reason: 'malformed' }));
});

test('a path stays in its folder on every file system', () => {
  for (const path of ['a', 'a/b.c', '.hidden', 'a/..b', 'ä/日本']) expect(isPath(path)).toBe(true);
  for (const path of ['', '/a', 'a/', 'a//b', '.', 'a/..', 'a\\b', 'C:a', 'a\0b', 'a'.repeat(1025)]) {
    expect(isPath(path)).toBe(false);
  }
});
