// OpenAI's own client, whose requests a handler answers.
import OpenAI from 'openai';
import { Reranker, TextGenerator } from 'quintet';
import { openAI } from 'quintet/openai';
import { story } from '../helpers/generator_fixtures.mjs';
import { fixturePath } from '../helpers/model_fixtures.mjs';
import { byteModel, saying } from '../helpers/models/byte_model.mjs';

/** Qwen3's chat template, as far as these conversations need it. */
export const template = `{%- if tools %}TOOLS{% for tool in tools %}{{ tool | tojson }}{% endfor %}
For each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:
<tool_call>
{"name": <function-name>, "arguments": <args-json-object>}
</tool_call>{% endif %}
{%- for message in messages %}<|im_start|>{{ message.role }}
{% if message.content %}{{ message.content }}{% endif %}
{%- if message.tool_calls %}{% for call in message.tool_calls %}
<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}
</tool_call>{% endfor %}{% endif %}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% if enable_thinking is defined and enable_thinking is false %}<think>

</think>

{% endif %}{% endif %}`;

/** A generator that gives these answers, one after another, instead of those of its random weights. */
export async function scripted(answers, special = []) {
  const generator = await TextGenerator.load(byteModel(template, special));
  const prompts = [];
  const next = [...answers];
  return {
    generator,
    prompts,
    served: new Proxy(generator, {
      get(target, name) {
        const answering = (prompt, options) => {
          prompts.push({ prompt, options });
          return { ...options, logitsProcessor: saying([next.shift()]).logitsProcessor };
        };
        if (name === 'generate') return (prompt, options) => target.generate(prompt, answering(prompt, options));
        if (name === 'generateMany')
          return ([prompt], options) => target.generateMany([prompt], answering(prompt, options));
        const value = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    }),
  };
}

export const loadStory = () => TextGenerator.load(story);
export const loadReranker = () => Reranker.load(fixturePath('rerankers/bert'));

export function clientOf(models, options = {}) {
  const handler = openAI({ models });
  return {
    handler,
    client: new OpenAI({ apiKey: 'none', baseURL: 'https://localhost/v1', fetch: handler, maxRetries: 0, ...options }),
  };
}

/** The answer to a request, by its status and body. */
export async function post(handler, path, body) {
  const response = await handler(`https://localhost/v1/${path}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}
