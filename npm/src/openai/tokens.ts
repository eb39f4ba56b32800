// What clients ask of a model's tokens and templates, in the form of llama.cpp's server (tools/server/README.md).

import type { TextGenerator } from '../generate/text_generator.js';
import { ApiError } from './api_error.js';
import { messagesOf } from './chat/messages.js';
import type { Context } from './context.js';
import { anything, boolean, type Fields, list, object, readFields, required, text } from './fields.js';
import { chatTools } from './tools.js';

const generates = async ({ models }: Context, fields: Fields): Promise<TextGenerator> => {
  const model = await models.namedOrFirst(fields);
  if ('generate' in model) return model;
  throw new ApiError(400, 'this needs a model that generates text', 'model', 'model_not_supported');
};

/** POST /tokenize */
export async function tokenize(body: unknown, context: Context): Promise<Response> {
  const fields = readFields(body, {
    model: text,
    content: text,
    add_special: boolean,
    with_pieces: boolean,
    parse_special: boolean,
  });
  const generator = await generates(context, fields);
  const ids = await generator.tokenize(required(fields, 'content'), {
    addBos: fields['add_special'] === true,
    parseSpecial: fields['parse_special'] !== false,
  });
  if (fields['with_pieces'] !== true) return Response.json({ tokens: [...ids] });
  const pieces = await generator.tokenTexts([...ids]);
  return Response.json({ tokens: [...ids].map((id, i) => ({ id, piece: pieces[i] })) });
}

/** POST /detokenize */
export async function detokenize(body: unknown, context: Context): Promise<Response> {
  const fields = readFields(body, { model: text, tokens: list });
  const generator = await generates(context, fields);
  return Response.json({ content: await generator.detokenize(required(fields, 'tokens')) });
}

/** POST /apply-template */
export async function applyTemplate(body: unknown, context: Context): Promise<Response> {
  const fields = readFields(body, {
    model: text,
    messages: anything,
    tools: list,
    chat_template_kwargs: object,
    add_generation_prompt: boolean,
  });
  const generator = await generates(context, fields);
  const { tools, chat_template_kwargs: variables, add_generation_prompt: open } = fields;
  const applied = await generator.applyChatTemplate(messagesOf(fields['messages']), {
    ...(tools !== undefined && { tools: chatTools(tools as unknown[]) }),
    ...(variables !== undefined && { variables: variables as Record<string, unknown> }),
    ...(open !== undefined && { addGenerationPrompt: open as boolean }),
  });
  return Response.json({ prompt: applied.text });
}
