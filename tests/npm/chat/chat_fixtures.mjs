// Chat templates and conversations (tests/fixtures/chat), and a tokenizer to format them with.
import { readdirSync, readFileSync } from 'node:fs';
import { Tokenizer } from 'quintet';
import { fixturePath } from '../helpers/model_fixtures.mjs';

export const json = (path) => JSON.parse(readFileSync(fixturePath(path), 'utf8'));
const conversations = json('chat/conversations.json');
const folder = fixturePath('chat/templates/');

/** [{ name, template, cases: [{ name, messages, tools, addGenerationPrompt, variables, text | error }] }] */
export const modelTemplates = readdirSync(folder)
  .filter((file) => file.endsWith('.jinja'))
  .map((file) => ({
    name: file.replace('.jinja', ''),
    template: readFileSync(folder + file, 'utf8'),
    cases: json(`chat/templates/${file.replace('.jinja', '.json')}`).map((each) => ({
      ...conversations[each.conversation],
      ...each,
    })),
  }));

export const templateOf = (name) => modelTemplates.find((each) => each.name === name).template;

/** Phi-3's: `<|user|>`, `<|end|>` and others are special tokens. */
export const loadPhi3 = () => Tokenizer.load(fixturePath('tokenizers/phi-3/ggml-vocab-phi-3.gguf'));

/** The output of a template without messages. */
export const render = (tokenizer, template, variables = {}, messages = []) =>
  tokenizer.applyChatTemplate(messages, { template, variables, addGenerationPrompt: false }).text;
