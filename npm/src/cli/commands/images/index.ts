import { dirname } from 'node:path';
import { inputError } from '../../../base/errors.js';
import { isFolder } from '../../../sources/node/model_folder.js';
import { defineCommand } from '../../command.js';
import { CHECK_FAILED, DONE, LINES_FAILED } from '../../ending.js';
import { pictureFiles } from '../../images/picture_files.js';
import { PictureIndex } from '../../images/picture_index.js';
import { type UpdateReport, updateIndex } from '../../images/update_index.js';
import { interruptible } from '../../interrupts.js';
import { requiredOption } from '../../options/arguments.js';
import { IMAGE_EMBEDDER_OPTIONS, loadImageEmbedder } from '../../options/image_embedder_options.js';
import { onlyPositional } from '../../options/positionals.js';
import { printable } from '../../output/columns.js';
import { ProgressBar } from '../../output/progress_bar.js';

export default defineCommand({
  usage: ['images index DIR --model DIR --out FILE [options]'],
  description: `Embeds the JPEG and PNG files of DIR, and of the folders in it, and saves the vectors in FILE. If
FILE is there already, only new and changed pictures are embedded, and those that are gone are
dropped. Paths are kept relative to the index, so that both can be moved together. Pictures that
cannot be decoded are reported on stderr and skipped, and the exit status is then 1. Ctrl-C saves
what is done; the same command continues.`,
  options: {
    out: { type: 'string', short: 'o', value: 'FILE', help: 'file of the index' },
    ...IMAGE_EMBEDDER_OPTIONS,
    json: {
      type: 'boolean',
      help:
        'print one JSON object: {"index", "pictures", "added", "changed", "removed", "broken", "left", "seconds"}, ' +
        'where "broken" is a list of {"path", "code", "message"}',
    },
  },
  examples: ['quintet images index photos --model clip-vit-base-patch32 --out photos.qix'],

  async run({ options, positionals, stdout, stderr }) {
    const folder = onlyPositional(positionals, 'DIR');
    const out = requiredOption('out', options.out);
    requiredOption('model', options.model);
    if (!(await isFolder(dirname(out)))) throw inputError('missing', `there is no folder ${dirname(out)} for ${out}`);
    const { pictures, unread } = await pictureFiles(folder);
    if (unread > 0) await stderr.note(`${countOf(unread)} left out: only JPEG and PNG files are read`);
    // In a worker the model computes while this thread decodes.
    const embedder = await loadImageEmbedder(options, stderr, { worker: true });
    const opened = await PictureIndex.open(out, embedder);
    if (!opened && pictures.length === 0) throw inputError('missing', `${folder} has no JPEG or PNG files`);
    const index = opened ?? PictureIndex.create(out, embedder);
    const bar = new ProgressBar(stderr, 'embedding');
    let isStopped = false;
    const stop = () => {
      isStopped = true;
    };
    const report = await interruptible(stop, () =>
      updateIndex(index, folder, pictures, {
        onProgress: (done, total, speed) =>
          bar.update(done, total, `${done} of ${total}, ${speed.toFixed(1)} pictures/s`),
        isStopped: () => isStopped,
      }),
    ).finally(() => bar.clear());
    await index.save();
    embedder.close();

    const { broken, left, ...numbers } = report;
    const faults = broken.map(({ path, error: { code, message } }) => ({ path, code, message }));
    for (const { path, message } of faults) await stderr.line(`quintet: ${printable(path)}: ${printable(message)}`);
    if (options.json) {
      await stdout.json({ index: out, pictures: index.size, ...numbers, broken: faults, left });
    } else {
      await stdout.line(`${out}: ${countOf(index.size)}${changesOf(report)}`);
    }
    if (left > 0) await stderr.line(`quintet: stopped; ${countOf(left)} are left`);
    if (left > 0) return CHECK_FAILED;
    return broken.length > 0 ? LINES_FAILED : DONE;
  },
});

const countOf = (pictures: number): string => `${pictures} ${pictures === 1 ? 'picture' : 'pictures'}`;

/** ` (3 new, 1 removed; 12.3 pictures/s)` */
function changesOf({ added, changed, removed, broken, seconds }: UpdateReport): string {
  const counts = { new: added, changed, removed, broken: broken.length };
  const changes = Object.entries(counts).flatMap(([what, count]) => (count === 0 ? [] : [`${count} ${what}`]));
  if (changes.length === 0) return ', nothing changed';
  const embedded = added + changed;
  const speed = embedded === 0 ? '' : `; ${(embedded / seconds).toFixed(1)} pictures/s`;
  return ` (${changes.join(', ')}${speed})`;
}
