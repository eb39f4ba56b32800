import { hubCache } from '../../sources/node/hub_paths.js';
import { defineCommand } from '../command.js';
import { DONE } from '../ending.js';
import { deleteKept, type KeptModel, keptModels } from '../models/hub_inventory.js';
import { readableBytes } from '../options/numbers.js';
import { exactPositionals } from '../options/positionals.js';
import { alignColumns } from '../output/columns.js';

export default defineCommand({
  usage: ['models [options]'],
  description: `Lists the models in the cache folder of the Hugging Face Hub, with their sizes on disk: those of
'quintet pull' and of names like hf:OWNER/NAME, and those that Python has downloaded.`,
  options: {
    delete: {
      type: 'string',
      value: 'NAME',
      help: 'delete `OWNER/NAME`, or one revision, `OWNER/NAME@REVISION`; files of other revisions stay',
    },
    json: { type: 'boolean', help: 'print one JSON object: {"folder", "models"}, or {"deleted", "bytes"}' },
  },
  examples: ['quintet models', 'quintet models --delete OWNER/NAME'],

  async run({ options, positionals, stdout }) {
    exactPositionals(positionals);
    const { delete: deleted, json } = options;
    if (deleted !== undefined) {
      const bytes = await deleteKept(deleted);
      if (json) await stdout.json({ deleted, bytes });
      else await stdout.line(`deleted ${deleted}: ${readableBytes(bytes)}`);
      return DONE;
    }
    const models = await keptModels();
    if (json) await stdout.json({ folder: hubCache(), models });
    else
      await stdout.line(
        models.length === 0 ? `no models in ${hubCache()}` : alignColumns(models.flatMap(rowsOf)).join('\n'),
      );
    return DONE;
  },
});

function rowsOf({ name, bytes, revisions }: KeptModel): string[][] {
  const named = revisions.map(({ commit, refs }) => (refs.length > 0 ? refs.join(', ') : commit.slice(0, 7)));
  const files = revisions.reduce((most, revision) => Math.max(most, revision.files), 0);
  return [[name, readableBytes(bytes), `${files} ${files === 1 ? 'file' : 'files'}`, named.join('; ')]];
}
