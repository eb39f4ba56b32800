import type { ChatTool, GenerateOptions, GeneratorLoadOptions, JsonSchema, ModelSource } from 'quintet';
import { TextGenerator } from 'quintet';

/** `source`: hf:OWNER/NAME, a URL, a File, … */
export const loadModel = (source: ModelSource, options?: GeneratorLoadOptions) => TextGenerator.load(source, options);

type Options = GenerateOptions & { template?: string };

/** A value that matches the schema, even from a weak model. `json()` rejects if the answer does not end. */
export async function fillIn(model: TextGenerator, letter: string, jsonSchema: JsonSchema, options: Options) {
  const system = 'Copy what the letter says into the form. Answer with JSON.';
  const chat = model.startChat({ system, ...options });
  try {
    return await chat.send<Record<string, unknown>>(letter, { jsonSchema }).json();
  } finally {
    chat.close();
  }
}

/** The calls of tools that the model decides on: [{ name, arguments }]. Nothing is run here. */
export async function nextSteps(model: TextGenerator, letter: string, tools: readonly ChatTool[], options: Options) {
  const chat = model.startChat({ system: 'Decide what is to be done about the letter.', tools, ...options });
  try {
    return (await chat.send(letter, { toolChoice: 'required' }).finished).toolCalls ?? [];
  } finally {
    chat.close();
  }
}
