// The page at the root of a server: a conversation with one of its models. It needs nothing but the server.
import { createHash } from 'node:crypto';

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 44rem; padding: 1rem; display: flex; flex-direction: column; min-height: 100vh; box-sizing: border-box; }
header, form { display: flex; gap: .5rem; flex-wrap: wrap; align-items: center; }
h1 { font-size: 1.1rem; margin: 0; flex: 1; }
main { flex: 1; padding: 1rem 0; }
article { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0 0 1rem; }
article[data-role=user] { font-weight: 600; }
article[data-role=error] { color: light-dark(#b00020, #ff8a80); }
textarea { flex: 1; min-width: 12rem; font: inherit; padding: .5rem; }
button, select, input { font: inherit; padding: .4rem .8rem; min-height: 2.75rem; }
`;

const script = `
const $ = (id) => document.getElementById(id);
const messages = [];
let answering;
const headers = () => ({ 'content-type': 'application/json', ...($('key').value && { authorization: 'Bearer ' + $('key').value }) });
const show = (role, text) => {
  const article = document.createElement('article');
  article.dataset.role = role;
  article.textContent = text;
  $('messages').append(article);
  article.scrollIntoView({ block: 'end' });
  return article;
};
const listModels = async () => {
  const response = await fetch('v1/models', { headers: headers() });
  $('key').hidden = response.status !== 401 && !$('key').value;
  if (!response.ok) return;
  const { data } = await response.json();
  $('model').replaceChildren(...data.map(({ id }) => new Option(id, id)));
};
async function* deltasOf(response) {
  let rest = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + text).split('\\n\\n');
    rest = events.pop();
    for (const event of events) {
      const data = event.replace(/^data: /, '');
      if (data === '[DONE]') return;
      const chunk = JSON.parse(data);
      if (chunk.error) throw new Error(chunk.error.message);
      yield chunk.choices[0]?.delta.content ?? '';
    }
  }
}
const ask = async () => {
  answering = new AbortController();
  $('send').textContent = 'Stop';
  const article = show('assistant', '');
  try {
    const response = await fetch('v1/chat/completions', {
      method: 'POST', headers: headers(), signal: answering.signal,
      body: JSON.stringify({ model: $('model').value, messages, stream: true }),
    });
    if (!response.ok) throw new Error((await response.json()).error.message);
    for await (const delta of deltasOf(response)) article.textContent += delta;
  } catch (error) {
    if (error.name !== 'AbortError') show('error', error.message);
  }
  messages.push({ role: 'assistant', content: article.textContent });
  answering = undefined;
  $('send').textContent = 'Send';
};
$('form').addEventListener('submit', (event) => {
  event.preventDefault();
  if (answering) return answering.abort();
  const content = $('text').value.trim();
  if (!content) return;
  $('text').value = '';
  messages.push({ role: 'user', content });
  show('user', content);
  ask();
});
$('text').addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  $('form').requestSubmit();
});
$('key').addEventListener('change', listModels);
listModels();
`;

export const chatPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>quintet</title>
<style>${style}</style>
<body>
<header>
  <h1>quintet</h1>
  <input id="key" type="password" placeholder="API key" aria-label="API key" autocomplete="off" hidden>
  <select id="model" aria-label="Model"></select>
</header>
<main id="messages" aria-live="polite"></main>
<form id="form">
  <textarea id="text" rows="2" aria-label="Message" placeholder="Message" autofocus></textarea>
  <button id="send">Send</button>
</form>
<script type="module">${script}</script>
</body>
</html>
`;

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Allows the page's own script and style, and requests to the server. */
export const contentPolicy = `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}; connect-src 'self'`;
