// Requests about a model's tokens and templates, in the form of llama.cpp's server (tools/server/README.md).

import type { ChatTemplateOptions } from '../../chat/types.js';
import { messagesOf } from './chat/messages.js';
import type { Context } from './context.js';
import { anything, boolean, Fields, given, list, object, text } from './fields.js';
import { chatTools } from './tools.js';

/** POST /tokenize */
export async function tokenize(body: unknown, { models }: Context): Promise<Response> {
  const flags = { add_special: boolean, with_pieces: boolean, parse_special: boolean };
  const fields = new Fields(body, { model: text, content: text, ...flags });
  const generator = await models.namedOrFirst(fields);
  const encoded = await generator.tokenize(fields.require('content'), {
    addBos: fields.isTrue('add_special'),
    parseSpecial: fields.get('parse_special') !== false,
  });
  const tokens = [...encoded];
  if (!fields.isTrue('with_pieces')) return Response.json({ tokens });
  const pieces = await generator.tokenTexts(tokens);
  return Response.json({ tokens: tokens.map((id, i) => ({ id, piece: pieces[i] })) });
}

/** POST /detokenize */
export async function detokenize(body: unknown, { models }: Context): Promise<Response> {
  const fields = new Fields(body, { model: text, tokens: list });
  const generator = await models.namedOrFirst(fields);
  return Response.json({ content: await generator.detokenize(fields.require('tokens')) });
}

const templateRules = {
  model: text,
  messages: anything,
  tools: list,
  chat_template_kwargs: object,
  add_generation_prompt: boolean,
};

/** POST /apply-template */
export async function applyTemplate(body: unknown, { models }: Context): Promise<Response> {
  const fields = new Fields(body, templateRules);
  const generator = await models.namedOrFirst(fields);
  const tools = fields.get<unknown[]>('tools');
  const options = given<ChatTemplateOptions>({
    tools: tools && chatTools(tools),
    variables: fields.get('chat_template_kwargs'),
    addGenerationPrompt: fields.get('add_generation_prompt'),
  });
  const { text: prompt } = await generator.applyChatTemplate(messagesOf(fields.get('messages')), options);
  return Response.json({ prompt });
}
