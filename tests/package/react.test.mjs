// The components of docs/getting-started.md and docs/frameworks.md, built by Vite: React asks a model, and `useChat` of
// the AI SDK talks to one, without a server.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launch } from '../browser/browsers.mjs';
import { byteModel } from '../npm/helpers/models/byte_model.mjs';
import { installInEmptyProject, root } from './packed.mjs';
import { vite } from './sites.mjs';
import { serve } from './static_server.mjs';

function jsxOf(page, start) {
  const code = [...readFileSync(`${root}docs/${page}`, 'utf8').matchAll(/^```jsx\n([^]*?)^```$/gm)]
    .map(([, block]) => block)
    .find((block) => block.includes(start));
  // In place of a download of gigabytes.
  return code.replace(/'hf:[^']*'/, "'./model.gguf'");
}

const files = {
  'ask.jsx': jsxOf('getting-started.md', 'function Ask'),
  'conversation.jsx': `
    import { TextGenerator } from 'quintet';
    import { languageModel } from 'quintet/ai-sdk';
    const model = languageModel(() => TextGenerator.load('./model.gguf'));
    ${jsxOf('frameworks.md', 'useChat').replace(
      '// …',
      `return (
        <section>
          <button onClick={() => sendMessage({ text: 'Why is the sky blue?' })}>Send</button>
          <output>{JSON.stringify({ status, error: error?.message, messages })}</output>
        </section>
      );`,
    )}`.replace('{ messages, sendMessage }', '{ messages, sendMessage, status, error }'),
  'main.jsx': `
    import { createElement } from 'react';
    import { createRoot } from 'react-dom/client';
    import { Ask } from './ask.jsx';
    import { Conversation } from './conversation.jsx';
    const show = (id, component) => createRoot(document.getElementById(id)).render(createElement(component));
    show('ask', Ask);
    show('conversation', Conversation);`,
  'index.html': `<!doctype html><title>quintet</title><div id="ask"></div><div id="conversation"></div>
    <script type="module" src="./main.jsx"></script>`,
  'vite.config.js': "export default { oxc: { jsx: { runtime: 'automatic' } } };",
};

/** Messages in the format of Qwen's template. */
const template =
  '{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}';

let project;
let server;
let browser;
beforeAll(async () => {
  project = installInEmptyProject({ tools: ['react', 'react-dom', 'ai', '@ai-sdk'] });
  const { folder } = project;
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  mkdirSync(join(folder, 'public'));
  writeFileSync(join(folder, 'public/model.gguf'), byteModel(template, ['<|im_start|>', '<|im_end|>']));
  execFileSync(process.execPath, [vite, 'build', '--logLevel', 'error'], { cwd: folder, stdio: 'pipe' });
  server = await serve(join(folder, 'dist'), { isolated: true });
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
  project?.remove();
});

async function opened() {
  const tab = await browser.newPage();
  await tab.goto(`${server.url}index.html`);
  return tab;
}

test('a form answers with text of the model', async () => {
  const tab = await opened();
  await tab.locator('[name=question]').fill('Why is the sky blue?');
  await tab.locator('#ask button').click();
  // The weights are zeros, so the model writes random bytes.
  await tab.waitForFunction(() => /^[^%]{5,}$|[^%\d ]/.test(document.querySelector('#ask output').textContent));
});

/** The state of the conversation in a new page after a question, when it is ready or has an error. */
async function asked() {
  const tab = await opened();
  await tab.locator('#conversation button').click();
  const state = await tab.waitForFunction(() => {
    const text = document.querySelector('#conversation output').textContent;
    const state = text && JSON.parse(text);
    return (state.status === 'ready' && state.messages.length === 2) || state.error ? state : undefined;
  });
  return state.jsonValue();
}

test('useChat shows both messages', async () => {
  // A random reply may end within five bytes.
  const isLong = ({ messages }) => messages[1]?.parts.at(-1).text.length >= 5;
  let state = await asked();
  for (let pages = 1; pages < 4 && !isLong(state); ++pages) state = await asked();
  const { messages, error } = state;
  expect(error).toBeUndefined();
  expect(messages[0]).toMatchObject({ role: 'user', parts: [{ type: 'text', text: 'Why is the sky blue?' }] });
  expect(messages[1].role).toBe('assistant');
  expect(messages[1].parts.at(-1)).toMatchObject({
    type: 'text',
    state: 'done',
    text: expect.stringMatching(/[^]{5}/),
  });
});
