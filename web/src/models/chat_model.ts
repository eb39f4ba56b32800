// Loading a model for conversations, the one that a visitor has chosen.

import type { ChatTemplateOptions, GeneratorLoadOptions, LoadProgress, ModelSource, TextGenerator } from 'quintet';

import { byId } from '../shared/dom.js';
import { counted } from '../shared/numbers.js';
import { ProgressBar } from '../shared/progress.js';
import { showRuntime } from '../shared/runtime_status.js';
import { hub } from './hub.js';

/** The texts one after another, for models that were trained for no conversation. */
const plain = '{{ bos_token }}{% for message in messages %}{{ message.content }}{{ " " if not loop.last }}{% endfor %}';

/** The format of conversations with the model: its own, or a plain one where its file has no template. */
export const templateOf = ({ info }: TextGenerator): ChatTemplateOptions['template'] =>
  info.format === 'amb' || info.format === 'alt' ? plain : undefined;

export type LoadGenerator = (source: ModelSource, options: GeneratorLoadOptions) => Promise<TextGenerator>;

/**
 * Shows the progress in #loading, and then how the model runs in #runtime. A model by its name is kept in the browser.
 */
export async function loadChatModel(
  load: LoadGenerator,
  { name, source }: { name: string; source: ModelSource },
  signal: AbortSignal,
): Promise<TextGenerator> {
  const progress = new ProgressBar(byId('loading', HTMLElement));
  const isNamed = typeof source === 'string';
  try {
    const model = await load(source, {
      ...hub,
      cache: isNamed,
      // Half the memory of the default, and hardly a difference.
      kvCache: isNamed ? 'f16' : 'f32',
      signal,
      onProgress: (state: LoadProgress) => progress.load(name, state, isNamed ? undefined : 'Reading'),
    });
    showRuntime(byId('runtime', HTMLElement), model.info, name, `room for ${counted(model.contextLength, 'token')}`);
    return model;
  } finally {
    progress.hide();
  }
}
