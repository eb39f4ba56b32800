import type { Chat, ChatOptions, TextGenerator } from '../../index.js';
import { ChatInput } from '../chat/input.js';
import { defineCommand, type OptionTable } from '../command.js';
import { DONE, failureLine, REFUSED, UsageError } from '../ending.js';
import { interruptible } from '../interrupts.js';
import { ADAPTER_OPTIONS, loadAdapters } from '../options/adapter_options.js';
import { GENERATOR_OPTIONS, loadGenerator } from '../options/generator_options.js';
import { exactPositionals } from '../options/positionals.js';
import { refuseTemperatureAsThreads, SAMPLING_OPTIONS, samplingOptions } from '../options/sampling_options.js';
import { writeAtomically } from '../output/atomic_file.js';
import { describeSpeed, speedOf } from '../output/generation_speed.js';
import type { Output } from '../output/output.js';

const OPTIONS = {
  system: { type: 'string', value: 'TEXT', help: 'the system message' },
  template: {
    type: 'string',
    value: 'T',
    help: 'the chat template, if not the one of the model file: `llama-2`, `llama-3`, `mistral`, `phi-3`, `chatml`, `gemma`, `zephyr`, or one in Jinja',
  },
  load: { type: 'string', value: 'FILE', help: 'continue a saved conversation' },
  speed: { type: 'boolean', help: 'show the speed of each answer on stderr' },
  json: { type: 'boolean', help: 'print one JSON object per answer: {"text", "reason", "tokens", …}' },
  ...SAMPLING_OPTIONS,
  ...GENERATOR_OPTIONS,
  ...ADAPTER_OPTIONS,
} as const satisfies OptionTable;

const HELP = `/help           this list
/reset          begin a new conversation
/save FILE      save the conversation with its KV cache
/load FILE      continue a saved conversation
/speed          turn the speed display on or off
/exit           end; so does Ctrl-D
End a line with a backslash to continue it; """ begins and ends several lines.
Ctrl-C ends an answer.`;

export default defineCommand({
  usage: ['chat [options]'],
  description: `A conversation in the terminal. Answers are printed as they are generated; the KV cache of earlier
messages is kept. Lines of a pipe are messages too. /help lists what else can be typed.`,
  options: OPTIONS,
  examples: [
    'quintet chat --model model.gguf',
    'quintet chat --model hf:Qwen/Qwen2.5-0.5B-Instruct-GGUF:Q8_0 --system "Be brief."',
    'echo "Why is the sky blue?" | quintet chat --model model.gguf --temp 0 --json',
  ],

  async run({ options, positionals, stdout, stderr }) {
    exactPositionals(positionals);
    refuseTemperatureAsThreads(options.threads);
    if (options.model === '-') throw new UsageError('stdin is for the messages: give the model as a file');
    const generator = await loadGenerator(options, stderr);
    const { chat: written, ...sampling } = samplingOptions(options);
    const conversations = new Conversations(
      generator,
      {
        maxTokens: generator.contextLength,
        ...sampling,
        ...written,
        ...(await loadAdapters(generator, options.adapter)),
      },
      options.system,
    );
    if (options.load !== undefined) await conversations.load(options.load);
    const input = new ChatInput();
    const chat = new ChatProgram(
      conversations,
      { stdout, stderr },
      { json: options.json === true, showsSpeed: options.speed === true, isTerminal: input.isTerminal },
    );
    if (input.isTerminal) await stderr.note(`${generator.info.kind} model loaded; /help lists what can be typed`);
    for (let line; (line = await input.next()) !== undefined && !chat.hasEnded; ) await chat.take(line);
    input.close();
    generator.close();
    return chat.hasFailed ? REFUSED : DONE;
  },
});

/** The conversation that is shown, which another one may replace. */
class Conversations {
  current: Chat;

  constructor(
    private readonly generator: TextGenerator,
    private readonly options: ChatOptions,
    private readonly system: string | undefined,
  ) {
    this.current = this.begun();
  }

  reset(): void {
    this.current.close();
    this.current = this.begun();
  }

  /** Returns the number of its messages. */
  async load(path: string): Promise<number> {
    const opened = await this.generator.openChat(path, this.options);
    this.current.close();
    this.current = opened;
    return opened.messages.length;
  }

  private begun(): Chat {
    return this.generator.startChat({ ...this.options, ...(this.system !== undefined && { system: this.system }) });
  }
}

class ChatProgram {
  hasEnded = false;
  /** Whether a message from a pipe could not be answered. */
  hasFailed = false;

  constructor(
    readonly conversations: Conversations,
    private readonly outputs: { stdout: Output; stderr: Output },
    private readonly settings: { json: boolean; showsSpeed: boolean; isTerminal: boolean },
  ) {}

  /** One message, or a command. A failure is one line, and the conversation continues; that of a pipe ends. */
  async take(line: string): Promise<void> {
    try {
      if (line.startsWith('/')) await this.command(line.trim());
      else if (line.trim() !== '') await this.answer(line);
    } catch (error) {
      await this.outputs.stderr.line(failureLine(error));
      this.hasFailed = this.hasEnded = !this.settings.isTerminal;
    }
  }

  private async answer(message: string): Promise<void> {
    const { json } = this.settings;
    const { stdout, stderr } = this.outputs;
    const stopping = new AbortController();
    const generation = this.conversations.current.send(message, { signal: stopping.signal });
    // Ctrl-C ends the answer; what there is of it stays in the conversation.
    const read = async () => {
      for await (const { text } of generation) if (!json && text) await stdout.write(text);
    };
    await interruptible(() => stopping.abort(), read);
    const summary = await generation.finished;
    if (json) return stdout.json({ text: await generation.text(), ...summary, ...speedOf(summary) });
    await stdout.write('\n');
    if (this.settings.showsSpeed) await stderr.line(describeSpeed(summary));
  }

  private async command(line: string): Promise<void> {
    const [, name = '', argument = ''] = /^\/(\S*)\s*([^]*)$/.exec(line)!;
    const run = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!run) throw new UsageError(`there is no /${name}; /help lists what can be typed`);
    await run(this, argument);
  }

  async say(text: string): Promise<void> {
    await this.outputs.stderr.line(text);
  }

  toggleSpeed(): void {
    this.settings.showsSpeed = !this.settings.showsSpeed;
  }
}

const fileOf = (path: string): string => {
  if (path === '') throw new UsageError('/save and /load need the name of a file');
  return path;
};

const commands: Record<string, (chat: ChatProgram, argument: string) => unknown> = {
  help: (chat) => chat.say(HELP),
  reset: (chat) => chat.conversations.reset(),
  async save(chat, path) {
    await writeAtomically(fileOf(path), [await chat.conversations.current.save()]);
    await chat.say(`saved in ${path}`);
  },
  async load(chat, path) {
    await chat.say(`${await chat.conversations.load(fileOf(path))} messages loaded`);
  },
  speed: (chat) => chat.toggleSpeed(),
  exit(chat) {
    chat.hasEnded = true;
  },
};
