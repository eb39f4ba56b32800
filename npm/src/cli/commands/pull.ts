import { defineCommand } from '../command.js';
import { DONE, UsageError } from '../ending.js';
import { pullModel } from '../models/hub_pull.js';
import { readableBytes } from '../options/numbers.js';
import { onlyPositional } from '../options/positionals.js';
import { LoadingBar } from '../output/loading_bar.js';

export default defineCommand({
  usage: ['pull hf:OWNER/NAME[@REVISION][:QUANT or /FILE] [options]'],
  description: `Downloads a model from the Hugging Face Hub into the Hub's own cache folder, where every command and
Python find it. Only the files that quintet reads are downloaded. :QUANT chooses a GGUF model by
its type; the default is Q4_K_M.

HF_ENDPOINT, HF_TOKEN, HF_HOME and HF_HUB_CACHE mean what they mean in Python, and the token of
'hf auth login' is used.`,
  options: { json: { type: 'boolean', help: 'print one JSON object: {"name", "commit", "bytes", "files"}' } },
  examples: ['quintet pull hf:sentence-transformers/all-MiniLM-L6-v2', 'quintet pull hf:OWNER/NAME-GGUF:Q8_0'],

  async run({ options, positionals, stdout, stderr }) {
    const name = onlyPositional(positionals, 'hf:OWNER/NAME');
    if (!name.startsWith('hf:')) throw new UsageError(`'${name}' is not the name of a model of the Hub: hf:OWNER/NAME`);
    const bar = new LoadingBar(stderr);
    const model = await pullModel(name, (progress) => bar.update(progress)).finally(() => bar.clear());
    if (options.json) await stdout.json(model);
    else
      await stdout.line(`${model.name} at ${model.commit}: ${model.files.length} files, ${readableBytes(model.bytes)}`);
    return DONE;
  },
});
