// A Hub with the models that the demo suggests by name. They have the names and kinds of files of the real ones, and no
// more.
import { byteModel } from '../../npm/helpers/models/byte_model.mjs';
import { serveHub } from '../../npm/helpers/servers/hub_server.mjs';
import { labelFolder } from '../../npm/label/label_folders.mjs';

/** Calls of tools are written as Hermes and Qwen write them: the library recognizes it by the tag. */
export const template =
  '{% for message in messages %}{{ message.role }}: {{ message.content }}\n{% endfor %}' +
  '{% if tools %}Call with <tool_call>: {{ tools | tojson }}{% endif %}';

export async function smallHub() {
  const hub = await serveHub();
  const model = Buffer.from(byteModel(template));
  hub.add('HuggingFaceTB/SmolLM2-360M-Instruct-GGUF', { 'smollm2-360m-instruct-q8_0.gguf': model });
  hub.add('Qwen/Qwen3-0.6B-GGUF', { 'Qwen3-0.6B-Q8_0.gguf': model });
  hub.add('Qwen/Qwen2.5-1.5B-Instruct-GGUF', {
    'qwen2.5-1.5b-instruct-q4_k_m.gguf': model,
    'qwen2.5-1.5b-instruct-q8_0.gguf': model,
  });
  const labels = ['NEGATIVE', 'POSITIVE'];
  hub.add('distilbert/distilbert-base-uncased-finetuned-sst-2-english', buffers(labelFolder('bert', { labels })));
  const entities = ['O', 'B-PER', 'I-PER', 'B-LOC', 'I-LOC'];
  hub.add('dslim/distilbert-NER', buffers(labelFolder('bert', { labels: entities, perToken: true })));
  return hub;
}

const buffers = (files) => Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes)]));
