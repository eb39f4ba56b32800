// Chat templates for models that come without one. They write the formats that the models were trained with.

/** Puts the system message in front of the first message of the user, for models without system messages. */
const systemFirst = `{%- if messages and messages[0].role == 'system' -%}
{%- set system = messages[0].content -%}{%- set turns = messages[1:] -%}
{%- else -%}
{%- set system = none -%}{%- set turns = messages -%}
{%- endif -%}`;

const alternating = `{%- for message in turns -%}
{%- if (message.role == 'user') != (loop.index0 % 2 == 0) -%}
{{- raise_exception('the roles of a conversation must alternate user, assistant, user: message ' ~ (loop.index0 + (messages|length) - (turns|length)) ~ ' is from the ' ~ message.role) -}}
{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt and turns|length % 2 == 0 -%}
{{- raise_exception('a conversation must end with a message of the user') -}}
{%- endif -%}`;

export const builtInTemplates: Record<string, string> = {
  // meta-llama/Llama-2-7b-chat-hf
  'llama-2': `${systemFirst}${alternating}
{%- for message in turns -%}
{%- if message.role == 'user' -%}
{%- set content = '<<SYS>>\\n' ~ system ~ '\\n<</SYS>>\\n\\n' ~ message.content if system is not none and loop.first else message.content -%}
{{- '<s>[INST] ' ~ (content | trim) ~ ' [/INST]' -}}
{%- else -%}
{{- ' ' ~ (message.content | trim) ~ ' </s>' -}}
{%- endif -%}
{%- endfor -%}`,
  // meta-llama/Meta-Llama-3-8B-Instruct
  'llama-3': `{{- '<|begin_of_text|>' -}}
{%- for message in messages -%}
{{- '<|start_header_id|>' ~ message.role ~ '<|end_header_id|>\\n\\n' ~ (message.content | trim) ~ '<|eot_id|>' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' -}}{%- endif -%}`,
  // mistralai/Mistral-7B-Instruct-v0.2; system messages as in later versions.
  mistral: `${systemFirst}${alternating}
{{- '<s>' -}}
{%- for message in turns -%}
{%- if message.role == 'user' -%}
{{- '[INST] ' ~ (system ~ '\\n\\n' if system is not none and loop.first else '') ~ message.content ~ ' [/INST]' -}}
{%- else -%}
{{- message.content ~ '</s>' -}}
{%- endif -%}
{%- endfor -%}`,
  // microsoft/Phi-3-mini-4k-instruct
  'phi-3': `{%- for message in messages -%}
{{- '<|' ~ message.role ~ '|>\\n' ~ message.content ~ '<|end|>\\n' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|assistant|>\\n' -}}{%- endif -%}`,
  // github.com/openai/openai-python, chatml.md; as used by Qwen and others.
  chatml: `{%- for message in messages -%}
{{- '<|im_start|>' ~ message.role ~ '\\n' ~ message.content ~ '<|im_end|>\\n' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|im_start|>assistant\\n' -}}{%- endif -%}`,
  // google/gemma-2-2b-it; system messages as in Gemma 3.
  gemma: `${systemFirst}${alternating}
{{- '<bos>' -}}
{%- for message in turns -%}
{%- set role = 'model' if message.role == 'assistant' else message.role -%}
{{- '<start_of_turn>' ~ role ~ '\\n' ~ (system ~ '\\n\\n' if system is not none and loop.first else '') ~ (message.content | trim) ~ '<end_of_turn>\\n' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<start_of_turn>model\\n' -}}{%- endif -%}`,
  // HuggingFaceH4/zephyr-7b-beta; also TinyLlama/TinyLlama-1.1B-Chat-v1.0
  zephyr: `{%- for message in messages -%}
{{- '<|' ~ message.role ~ '|>\\n' ~ message.content ~ '</s>\\n' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|assistant|>\\n' -}}{%- endif -%}`,
};
