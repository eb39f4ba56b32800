// The examples of docs/cli.md run. tests/tools/cli_page.test.mjs compares the rest of the page with the command line.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { story } from '../helpers/generator_fixtures.mjs';
import { folderTensors, peftFiles, randomParts } from '../helpers/models/adapter_files.mjs';
import { ggufFile, tensorTypes, tinyLlama } from '../helpers/models/gguf_writer.mjs';
import { writeHuggingFaceFolder } from '../helpers/models/hugging_face_folder.mjs';
import { fixture, program, quintet, root, scratchFolder } from '../helpers/quintet.mjs';
import { writeLabelFolder } from '../label/label_folders.mjs';

const scratch = scratchFolder();
const guide = readFileSync(join(root, 'docs/cli.md'), 'utf8');

/** Command lines without placeholders. */
const examples = [...guide.matchAll(/^ {4}(quintet .+)$/gm)]
  .map(([, line]) => line)
  .filter((line) => !/\[|<command>|\b[A-Z]+\b/.test(line.replace(/"[^"]*"/g, '')));

/** The tiny Llama with a vocabulary as large as the ids in the examples, and a chat template. */
function chatModel() {
  const bytes = Array.from({ length: 256 }, (_, i) => `<0x${i.toString(16).toUpperCase().padStart(2, '0')}>`);
  const words = Array.from({ length: 16_000 }, (_, i) => `\u2581word${i}`);
  const tokens = ['<unk>', '<s>', '</s>', ...bytes, ...words];
  const replaced = {
    'tokenizer.ggml.tokens': { of: 'string', list: tokens },
    'tokenizer.ggml.scores': { of: 'float32', list: tokens.map((_, i) => -i) },
    'tokenizer.ggml.token_type': { of: 'int32', list: [2, 3, 3, ...bytes.map(() => 6), ...words.map(() => 1)] },
  };
  const values = tinyLlama.values.map(([key, type, value]) => [key, type, replaced[key] ?? value]);
  values.push([
    'tokenizer.chat_template',
    'string',
    "{% for message in messages %}{{'<|im_start|>' + message['role'] + '<|im_end|>'}}{% endfor %}",
  ]);
  values.find(([key]) => key === 'llama.context_length')[2] = 512;
  const tensors = tinyLlama.tensors.map(({ name, type, shape: small }) => {
    const shape = name === 'token_embd.weight' ? [tokens.length, small[1]] : small;
    const [, block, blockBytes] = tensorTypes[type];
    const size = (shape.reduce((product, dimension) => product * dimension, 1) / block) * blockBytes;
    return { name, type, shape, data: new Uint8Array(size) };
  });
  return ggufFile({ values, tensors });
}

/** The files that the examples name. */
beforeAll(async () => {
  mkdirSync(scratch('bin'));
  writeFileSync(scratch('bin/quintet'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  chmodSync(scratch('bin/quintet'), 0o755);
  writeFileSync(scratch('lines.txt'), 'a cat on a mat\na dog in the fog\n');
  const passages = ['Plants make food from light.', 'Ships sail on the sea.', 'The moon moves the tides.'];
  for (const name of ['corpus.jsonl', 'passages.jsonl']) {
    writeFileSync(scratch(name), passages.map((text, id) => `${JSON.stringify({ id, text })}\n`).join(''));
  }
  writeFileSync(scratch('story.txt'), 'Once upon a time, there was a little girl\n');
  writeFileSync(
    scratch('article.txt'),
    'Once upon a time, there was a little girl named Lily. She loved to play in the park. '.repeat(2),
  );
  writeFileSync(scratch('model.gguf'), chatModel());
  copyFileSync(story, scratch('model.amb'));
  copyFileSync(fixture('images/gradient.jpg'), scratch('photo.jpg'));
  mkdirSync(scratch('holiday'));
  copyFileSync(fixture('images/gradient.jpg'), scratch('holiday/beach.jpg'));
  copyFileSync(fixture('tinyruntime/r18-plain-vanilla.bin'), scratch('resnet18.bin'));
  cpSync(fixture('vision/clip-hf-sparse'), scratch('clip-vit-base-patch32'), { recursive: true });
  cpSync(fixture('vision/mobilenetv4-timm'), scratch('mobilenetv4_conv_small'), { recursive: true });
  writeHuggingFaceFolder(scratch('all-MiniLM-L6-v2'));
  cpSync(fixture('rerankers/bert'), scratch('bge-reranker-base'), { recursive: true });
  writeLabelFolder(scratch('distilbert-sst2'), 'bert', { labels: ['NEGATIVE', 'POSITIVE'] });
  writeLabelFolder(scratch('nli-deberta-v3-xsmall'), 'deberta', { labels: ['contradiction', 'entailment', 'neutral'] });
  for (const name of ['bert-base-NER', 'piiranha']) {
    writeLabelFolder(scratch(name), 'deberta', { labels: ['O', 'B-PER', 'I-PER'], perToken: true });
  }
  writeFileSync(scratch('mails.txt'), 'The parcel is late.\nThank you, Ada!\n');
  cpSync(fixture('families/llama-llama3-rope'), scratch('TinyLlama'), { recursive: true });
  const parts = randomParts(folderTensors(scratch('TinyLlama')), { isWanted: (name) => /q_proj/.test(name) });
  mkdirSync(scratch('pirate-lora'));
  for (const [name, bytes] of Object.entries(peftFiles(parts, { r: 3, lora_alpha: 3 })))
    writeFileSync(scratch(`pirate-lora/${name}`), bytes);
  copyFileSync(fixture('safetensors/wide-f32.safetensors'), scratch('cache.safetensors'));
  const { stdout } = await quintet([
    'classify',
    '--model',
    scratch('resnet18.bin'),
    '--logits',
    '--json',
    scratch('photo.jpg'),
  ]);
  const names = JSON.parse(stdout).logits.map((_, i) => `thing ${i}\n`);
  writeFileSync(scratch('imagenet.txt'), names.join(''));
});

test('the guide has examples', () => {
  expect(examples.length).toBeGreaterThan(15);
});

test.each(examples)('%s', (line) => {
  const PATH = `${scratch('bin')}${delimiter}${process.env.PATH}`;
  const { status, stderr } = spawnSync('bash', ['-c', line], {
    cwd: scratch('.'),
    env: { ...process.env, PATH, NODE_PATH: root },
    encoding: 'utf8',
  });
  expect({ line, status, stderr }).toEqual({ line, status: 0, stderr: expect.not.stringContaining('quintet: ') });
});
