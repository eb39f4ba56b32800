// What texts are kept to: JSON schemas, and a grammar in GBNF.

/** An object that has all of these properties, and no others. */
const object = (properties) => ({ type: 'object', properties, required: Object.keys(properties) });
const text = (limits) => ({ type: 'string', ...limits });

const KINDS_OF_PROPERTIES = [
  () => text(),
  (i) => ({ type: 'integer', minimum: 0, maximum: 1000 + i }),
  (i) => ({ enum: ['red', 'green', `blue ${i}`] }),
  () => ({ type: 'array', items: { type: 'number' } }),
  (i) => text({ maxLength: 30 + i }),
];
const property = (i) => [`property${i}`, KINDS_OF_PROPERTIES[i % KINDS_OF_PROPERTIES.length](i)];

export const FORMS = {
  'maxLength, minLength': object({
    name: text({ maxLength: 20 }),
    title: text({ minLength: 5, maxLength: 40 }),
    abstract: text({ maxLength: 400 }),
  }),
  pattern: object({
    name: text({ pattern: '^[A-Z][a-z]+( [a-z]+){1,4}$' }),
    word: text({ pattern: '^\\w{3,30}$' }),
    line: text({ pattern: '^.{1,80}$' }),
    words: text({ pattern: '^\\S+( \\S+)*$' }),
    link: text({ pattern: '^https?://.+$' }),
    found: text({ pattern: 'needle' }),
  }),
  enum: object({
    color: { enum: ['red', 'green', 'blue'] },
    size: { enum: [1, 2, 'large'] },
    sure: { type: 'boolean' },
  }),
  nested: object({
    pages: {
      type: 'array',
      items: object({
        title: text(),
        notes: { type: 'array', items: object({ note: text(), weight: { type: 'number' } }) },
      }),
    },
  }),
  'any object': { type: 'object' },
  formats: object({
    email: text({ format: 'email' }),
    since: text({ format: 'date-time' }),
    day: text({ format: 'date' }),
    id: text({ format: 'uuid' }),
    copies: { type: 'array', items: text({ format: 'email' }) },
  }),
  'other properties': { ...object({ id: { type: 'integer' } }), additionalProperties: text({ maxLength: 100 }) },
  '50 properties': object(Object.fromEntries(Array.from({ length: 50 }, (_, i) => property(i)))),
  GBNF: `root ::= "Answer: " line ("\\n- " line){0,5}
line ::= [^\\n]+
`,
};
