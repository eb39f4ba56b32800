import type { CommandGroup } from '../command.js';
import index from './images/index.js';
import search from './images/search.js';

const group: CommandGroup = {
  usage: [
    'images index DIR --model DIR --out FILE [options]',
    'images search INDEX QUERY --model DIR [options]',
    'images search INDEX --image FILE --model DIR [options]',
  ],
  description: `Finds pictures by words, or by another picture, with a model like CLIP or SigLIP. 'index' embeds the
pictures of a folder, which takes a while; 'search' then only has to load the model.`,
  commands: {
    index: { summary: 'embed the pictures of a folder', command: index },
    search: { summary: 'find pictures by words, or by a picture', command: search },
  },
};

export default group;
