// The options that give a generation its prompt.
import type { ChatMessage, Prompt } from '../../index.js';
import type { OptionTable, OptionValues } from '../command.js';
import { UsageError } from '../ending.js';
import { LONGEST_PROMPT, wholeText } from './text_arguments.js';

export const PROMPT_OPTIONS = {
  prompt: {
    type: 'string',
    short: 'p',
    value: 'TEXT',
    help: "the prompt; - for stdin; '' lets the model start by itself",
  },
  'prompt-file': { type: 'string', short: 'f', value: 'FILE', help: 'read the prompt from a file; - for stdin' },
  suffix: {
    type: 'string',
    value: 'TEXT',
    help: 'the model fills the hole between the prompt and TEXT; for code models',
  },
  chat: {
    type: 'boolean',
    help: 'the prompt is a message of the user; the model answers it, with the chat template of its file',
  },
  system: { type: 'string', value: 'TEXT', help: 'with --chat: the system message' },
  template: {
    type: 'string',
    value: 'T',
    help: 'with --chat: the chat template, if not the one of the model file: `llama-2`, `llama-3`, `mistral`, `phi-3`, `chatml`, `gemma`, `zephyr`, or one in Jinja',
  },
} as const satisfies OptionTable;

type PromptOptions = OptionValues<typeof PROMPT_OPTIONS>;

export interface PromptSource {
  readsStdin: boolean;
  read(): Promise<Prompt>;
}

/** `mayBeMissing`: a loaded cache can be continued without a prompt. */
export function promptSource(options: PromptOptions, mayBeMissing: boolean): PromptSource {
  const { prompt, 'prompt-file': file, chat, suffix, system, template } = options;
  if (prompt !== undefined && file !== undefined) {
    throw new UsageError('--prompt and --prompt-file cannot be used together');
  }
  if (prompt === undefined && file === undefined && !mayBeMissing) {
    throw new UsageError('--prompt or --prompt-file is missing');
  }
  if (suffix !== undefined && chat) throw new UsageError('--suffix and --chat cannot be used together');
  if (system !== undefined && !chat) throw new UsageError('--system needs --chat');
  if (template !== undefined && !chat) throw new UsageError('--template needs --chat');
  const path = file ?? (prompt === '-' ? '-' : undefined);
  return {
    readsStdin: path === '-',
    async read() {
      const text = path === undefined ? (prompt ?? '') : await promptIn(path);
      if (suffix !== undefined) return { prefix: text, suffix };
      return chat ? conversation(text, system) : text;
    },
  };
}

/** Editors and `echo` end a text with a newline that is not part of the prompt. */
async function promptIn(path: string): Promise<string> {
  const what = path === '-' ? 'the prompt' : `the prompt ${path}`;
  return (await wholeText(path, what, LONGEST_PROMPT)).replace(/\r?\n$/, '');
}

function conversation(text: string, system: string | undefined): ChatMessage[] {
  const first: ChatMessage[] = system === undefined ? [] : [{ role: 'system', content: system }];
  return [...first, { role: 'user', content: text }];
}
