// Grammars of calls that write their arguments one after another, required ones first: those of Python, Gemma 4 and
// Qwen3-Coder.

import { unsupported } from '../../base/errors.js';
import type { ToolDefinition } from '../types.js';
import { type CallGrammar, moved, textOf } from './call_grammars.js';
import { callsOfGemma, gemmaQuote } from './gemma_calls.js';
import { callsOfPython } from './python_calls.js';
import { typesIn } from './schema_types.js';
import { type Texts, textGrammar, textWithout } from './text_grammars.js';

interface Argument {
  key: string;
  required: boolean;
  schema: object;
}

/** Grammars for arguments, in GBNF. */
interface Form {
  /** The text around the arguments of a tool. */
  around(name: string): [before: string, after: string];
  argument(key: string, value: string): string;
  separator: string;
  /** `inJson`: the rule of the values of a schema, in JSON. */
  value(argument: Argument, tool: ToolDefinition, inJson: (schema: object) => string): string;
  /** Whether a tool with these names can be called. */
  fits(name: string, keys: readonly string[]): boolean;
  /** Rules that values use. */
  rules?: readonly string[];
}

/** `root`: the texts around the rule `call`. `what`: of calls, for messages. */
const argumentCalls =
  (
    what: string,
    formOf: (marker: (text: string) => string) => Form,
    root: (begin: string, end: string) => string,
  ): CallGrammar =>
  (tools, marker, begin, end) => {
    const form = formOf(marker);
    const schemas: object[] = [];
    const rules: string[] = [];
    const calls = tools.map((tool, index) => {
      const all = argumentsOf(tool, what);
      const keys = all.map(({ key }) => key);
      if (!form.fits(tool.name, keys)) {
        throw unsupported(
          `generate: toolChoice cannot constrain a call ${what} of ${JSON.stringify(tool.name)}: its name, or that of an argument, cannot be written there`,
        );
      }
      const inJson = (schema: object) => `schema-${schemas.push(inside(tool, schema)) - 1}`;
      const pairs = all.map((each) => ({
        required: each.required,
        gbnf: form.argument(each.key, form.value(each, tool, inJson)),
      }));
      const inOrder = [...pairs.filter(({ required }) => required), ...pairs.filter(({ required }) => !required)];
      // Each argument has two rules: `rest` for one that follows another argument, `first` for one that does not.
      inOrder.forEach(({ required, gbnf }, at) => {
        const rest = at + 1 < inOrder.length ? `rest-${index}-${at + 1}` : '""';
        const skipped = (others: string) => (required ? '' : ` | ${at + 1 < inOrder.length ? others : '""'}`);
        const following = `${textOf(form.separator)} ${gbnf}`;
        rules.push(`first-${index}-${at} ::= ${gbnf} ${rest}${skipped(`first-${index}-${at + 1}`)}`);
        rules.push(`rest-${index}-${at} ::= ${following} ${rest}${skipped(`rest-${index}-${at + 1}`)}`);
      });
      const [before, after] = form.around(tool.name);
      return `${before} ${inOrder.length > 0 ? `first-${index}-0` : ''} ${after}`;
    });
    const whole = [`root ::= ${root(marker(begin), marker(end))}`, `call ::= ${calls.join(' | ')}`];
    return { gbnf: [...whole, ...rules, ...(form.rules ?? [])].join('\n'), schemas };
  };

/** Values that Python writes differently from JSON. Inside other values, JSON's words are accepted as well. */
const pythonValues: Record<string, string> = { boolean: '("True" | "False")', null: '"None"' };

const pythonForm: Form = {
  around: (name) => [textOf(`${name}(`), '")"'],
  argument: (key, value) => `${textOf(`${key}=`)} ${value}`,
  separator: ', ',
  value: ({ schema }, _tool, inJson) => pythonValues[String((schema as { type?: unknown }).type)] ?? inJson(schema),
  fits: (name, keys) => {
    const call = `[${name}(${keys.map((key) => `${key}=0`).join(', ')})]`;
    return callsOfPython(call, { tools: [], exact: false }) !== undefined;
  },
};

/** name(a=1, b="x"), as LFM2 does in a list: https://huggingface.co/LiquidAI/LFM2-1.2B, its section about tools. */
export const pythonCalls =
  (before: string, after: string): CallGrammar =>
  (...given) => ({
    ...argumentCalls(
      'in Python',
      () => pythonForm,
      (begin, end) => `${begin} ${textOf(before)} call ${textOf(after)} ${end}`,
    )(...given),
    python: true,
  });

/** Strings with limits are in JSON, which its reader takes too. */
export const gemmaCalls = argumentCalls(
  'of Gemma 4',
  (marker) => {
    const quote = marker(gemmaQuote);
    const quoted = (value: string) => `${quote} ${value} ${quote}`;
    const texts: Texts = {
      any: quoted('text'),
      limited: () => undefined,
      literal: (value) => {
        if (typeof value !== 'string') return textOf(JSON.stringify(value));
        return value.includes(gemmaQuote) ? undefined : quoted(textOf(value));
      },
    };
    return {
      around: (name) => [textOf(`call:${name}{`), '"}"'],
      argument: (key, value) => `${textOf(`${/^[\w.-]+$/.test(key) ? key : JSON.stringify(key)}:`)} ${value}`,
      separator: ',',
      value: ({ schema }, { parameters }, inJson) => textGrammar(schema, parameters, texts, inJson) ?? inJson(schema),
      fits: (name) => {
        const [call] = callsOfGemma(`call:${name}{}`, { tools: [], exact: false }) ?? [];
        return call?.name === name;
      },
      rules: textWithout([gemmaQuote]),
    };
  },
  (begin, end) => `${begin} call ${end}`,
);

/** No text contains these: they would be read as the end of a value, or as another value. */
const tags = ['<parameter=', '</parameter>', '<function=', '</function>'];
const isPlain = (text: string) => text.toLowerCase() !== 'null' && !tags.some((tag) => text.includes(tag));

/** Texts are unquoted, and everything else is in JSON. */
const taggedTexts: Texts = {
  any: 'text',
  untyped: 'text',
  limited: (least, most) => `[^<]{${least},${most}}`,
  literal: (value) => {
    if (typeof value !== 'string') return textOf(JSON.stringify(value));
    return isPlain(value) ? textOf(value) : undefined;
  },
};

/** In the words of the templates of Qwen3-Coder and Qwen3.5. */
export const taggedCalls = argumentCalls(
  'of Qwen3-Coder',
  () => ({
    around: (name) => [textOf(`<function=${name}>\n`), textOf('</function>')],
    argument: (key, value) => `${textOf(`<parameter=${key}>\n`)} ${value} ${textOf('\n</parameter>\n')}`,
    separator: '',
    value: ({ key, schema }, { name, parameters }, inJson) => {
      const inJsonIfNoText = (each: object) => {
        const types = typesIn(each, parameters);
        if (types.length > 0 && !types.includes('string')) return inJson(each);
        throw unsupported(
          `generate: toolChoice cannot constrain a call of Qwen3-Coder of ${JSON.stringify(name)}: the argument ${JSON.stringify(key)} has more keywords than texts without quotes can keep`,
        );
      };
      return textGrammar(schema, parameters, taggedTexts, inJsonIfNoText) ?? inJsonIfNoText(schema);
    },
    fits: (name, keys) => [name, ...keys].every((each) => /^[^<>\n]+$/.test(each)),
    rules: textWithout(tags),
  }),
  (begin, end) => `${begin} "\\n" call "\\n" ${end}`,
);

/** Keywords that add nothing to the schemas of the arguments. */
const plainKeywords = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  '$defs',
  'definitions',
  '$schema',
  '$id',
  'title',
  'description',
  'examples',
  '$comment',
]);

function argumentsOf({ name, parameters = {} }: ToolDefinition, what: string): Argument[] {
  const { properties = {}, required = [] } = parameters as {
    properties?: Record<string, object>;
    required?: readonly string[];
  };
  const unknown = Object.keys(parameters).find((keyword) => !plainKeywords.has(keyword));
  if (unknown)
    throw unsupported(
      `generate: toolChoice cannot constrain a call ${what} of ${JSON.stringify(name)}: its parameters have '${unknown}'`,
    );
  const keys = [...new Set([...Object.keys(properties), ...required])];
  return keys.map((key) => ({
    key,
    required: required.includes(key),
    schema: Object.hasOwn(properties, key) ? properties[key]! : {},
  }));
}

/** The schema of an argument with the targets of its references. */
function inside({ parameters = {} }: ToolDefinition, schema: object): object {
  const place = '#/$defs/parameters';
  return { allOf: [moved(schema, place)], $defs: { parameters: moved(parameters, place) } };
}
