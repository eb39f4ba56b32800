// Formats conversations with the chat template of a model.

import { inputError } from '../base/errors.js';
import { boolean } from '../base/rules.js';
import { checkOptions, isA, type Rule } from '../base/values.js';
import { builtInTemplates } from './built_in_templates.js';
import { callsTools, checkMessages, messageValues, toolValues, variableValues } from './conversation.js';
import { PartMissing } from './jinja/library/rare_parts.js';
import { loadRareParts } from './jinja/rare_loading.js';
import { Template } from './jinja/template.js';
import { type Text, text } from './jinja/text.js';
import type { Value } from './jinja/values.js';
import { toolsWithJsonSchema } from './tool_schemas.js';
import type { ChatDescription, ChatMessage, ChatTemplateOptions, FormattedChat } from './types.js';

const rules: Record<keyof ChatTemplateOptions, Rule> = {
  template: ['a name or a template', (value) => typeof value === 'string' && value !== ''],
  tools: ['an array', Array.isArray],
  addGenerationPrompt: boolean,
  variables: ['an object', (value) => isA(value, 'Object')],
};
/** Names that variables may not replace. */
const reserved = ['messages', 'tools', 'add_generation_prompt'];
const maxCompiled = 8;

export { loadRareParts };

/** Writes conversations as one model expects them. */
export class ChatTemplates {
  /** Parsed templates by their source: one template formats turn after turn. */
  private readonly compiled = new Map<string, Template>();

  /** `now`: the clock of templates that ask for the date. */
  constructor(
    private readonly description: ChatDescription,
    private readonly now?: () => Date,
  ) {}

  /**
   * Templates that use rare features need `loadRareParts` first.
   * @param where How the options are called, for messages
   * @throws QuintetError INPUT if an argument is invalid, or if the template rejects the conversation
   */
  format(messages: readonly ChatMessage[], options: ChatTemplateOptions = {}, where = 'chat'): FormattedChat {
    checkOptions(options, rules, where);
    const { variables = {}, tools, addGenerationPrompt = true } = toolsWithJsonSchema(options);
    for (const name of reserved) {
      if (name in variables)
        throw inputError('out_of_range', `${where}: '${name}' cannot be a variable: pass it as an argument or option`);
    }
    const source = this.source(options, where);
    const builtIn = Object.values(builtInTemplates).includes(source);
    checkMessages(messages, builtIn);
    const template = this.template(source);
    const values = new Map<string, Value>([
      ...Object.entries(this.description.tokens ?? {}).map(([name, token]) => [name, text(token)] as const),
      ['documents', null],
      ...variableValues(variables),
      ['tools', toolValues(tools, builtIn)],
      ['add_generation_prompt', addGenerationPrompt],
    ]);
    const rendered = (argumentsAsText: boolean) =>
      formatted(template.render(values.set('messages', messageValues(messages, source, argumentsAsText)), this.now));
    try {
      return rendered(false);
    } catch (error) {
      // Some templates, such as the first of DeepSeek-R1, concatenate the arguments of calls with strings.
      if (!callsTools(messages)) throw error;
      try {
        return rendered(true);
      } catch {
        throw error;
      }
    }
  }

  /** Like `format`. Parts of the template language that few templates use are loaded if this one does. */
  async formatAsync(
    messages: readonly ChatMessage[],
    options?: ChatTemplateOptions,
    where?: string,
  ): Promise<FormattedChat> {
    try {
      return this.format(messages, options, where);
    } catch (error) {
      if (!(error instanceof PartMissing)) throw error;
    }
    await loadRareParts();
    return this.format(messages, options, where);
  }

  /** The template in Jinja that the options choose. */
  source({ template, tools }: ChatTemplateOptions, where = 'chat'): string {
    const { templates = {} } = this.description;
    const named = (name: string) => (Object.hasOwn(templates, name) ? templates[name] : undefined);
    const chosen = template ?? (tools?.length ? named('tool_use') : undefined) ?? named('default');
    if (chosen === undefined) {
      const others = Object.keys(templates).join(', ');
      throw inputError(
        'missing',
        `the model has no ${others ? 'default ' : ''}chat template: choose one with ${where}.template${others ? `, for example ${others}` : ", for example 'chatml'"}`,
      );
    }
    if (template !== undefined && named(template) !== undefined) return named(template)!;
    if (Object.hasOwn(builtInTemplates, chosen)) return builtInTemplates[chosen]!;
    if (/\{[{%#]/.test(chosen)) return chosen;
    const names = [...Object.keys(builtInTemplates), ...Object.keys(templates)].join(', ');
    throw inputError(
      'unknown_value',
      `${where}: chat template "${chosen.slice(0, 60)}" is neither a template in Jinja nor one of ${names}`,
    );
  }

  private template(source: string): Template {
    const known = this.compiled.get(source);
    if (known) return known;
    const template = new Template(source);
    if (this.compiled.size >= maxCompiled) this.compiled.clear();
    this.compiled.set(source, template);
    return template;
  }
}

const utf8 = new TextEncoder();

function formatted(rendered: Text): FormattedChat {
  const boundaries: number[] = [];
  let whole = '';
  let at = 0;
  let isTrusted = true;
  for (const { value, trusted } of rendered.parts()) {
    if (trusted !== isTrusted) boundaries.push(at);
    isTrusted = trusted;
    at += utf8.encode(value).length;
    whole += value;
  }
  return { text: whole, originBoundaries: Uint32Array.from(boundaries) };
}
