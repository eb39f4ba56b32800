// Random JSON schemas of what the package supports.
import fc from 'fast-check';

const words = fc.constantFrom('a', 'b', 'name', 'né', 'x"y', 'a-b', 'long name', '日');
const bounds = (least, most, arbitrary) =>
  fc.tuple(arbitrary, arbitrary).map(([a, b]) => (a <= b ? { [least]: a, [most]: b } : { [least]: b, [most]: a }));
const some = (...parts) =>
  fc.tuple(...parts.map((part) => fc.option(part, { nil: {} }))).map((all) => Object.assign({}, ...all));

const strings = fc.oneof(
  some(bounds('minLength', 'maxLength', fc.nat(12))).map((rest) => ({ type: 'string', ...rest })),
  fc
    .constantFrom('^[a-f]{2,4}$', 'ab', '^x|y$', '^(\\d+|[^\\d\\s"]\\.)+$', '^\\w*\\\\"é?$')
    .map((pattern) => ({ type: 'string', pattern })),
  fc
    .constantFrom('date', 'time', 'date-time', 'uuid', 'email', 'ipv4', 'hostname', 'uri', 'duration')
    .map((format) => ({ type: 'string', format })),
  fc
    .constantFrom(
      { format: 'date', pattern: '^20[12]' },
      { pattern: '^(?=.*\\d)(?!.*aa)[a-f\\d]{3,6}$' },
      { pattern: 'a', maxLength: 4 },
      { pattern: '^((?!ab)[a-c])+$', not: { enum: ['c', 'a'] } },
      { allOf: [{ pattern: '^a' }, { pattern: 'b$' }], maxLength: 5 },
    )
    .map((rest) => ({ type: 'string', ...rest })),
);
const number = fc.oneof(
  fc.integer({ min: -2000, max: 2000 }),
  fc.integer({ min: -99, max: 99 }).map((n) => n / 8),
);
const numbers = fc
  .tuple(
    fc.constantFrom('integer', 'number'),
    fc.constantFrom('minimum', 'exclusiveMinimum'),
    fc.constantFrom('maximum', 'exclusiveMaximum'),
    number,
    fc.nat(300),
    fc.nat(3),
  )
  .map(([type, low, high, from, size, which]) => ({
    type,
    ...(which & 1 && { [low]: from }),
    ...(which & 2 && { [high]: from + 2 + size / 4 }),
  }));
const leaves = fc.oneof(
  strings,
  numbers,
  fc.constantFrom(
    { type: 'integer', multipleOf: 7 },
    { type: 'number', multipleOf: 0.25, minimum: -9 },
    { not: { type: ['object', 'array', 'number'] } },
  ),
  fc.constantFrom(
    { type: 'boolean' },
    { type: 'null' },
    { type: ['null', 'integer'] },
    { type: 'integer', format: 'int32' },
    { const: { a: [1, 'é"\n'] } },
    { enum: ['a', 1.5, null, 'b\\'] },
  ),
);
const { schema: schemas } = fc.letrec((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaves,
    leaves,
    tie('object'),
    tie('record'),
    tie('array'),
    tie('choice'),
    tie('all'),
    tie('recursive'),
  ),
  object: fc
    .tuple(
      fc.dictionary(words, tie('schema'), { maxKeys: 4 }),
      fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
      fc.constantFrom(undefined, false, true, { type: 'integer' }),
    )
    .map(([properties, required, additionalProperties]) => ({
      type: 'object',
      properties,
      required: Object.keys(properties).filter((_, i) => required[i]),
      ...(additionalProperties !== undefined && { additionalProperties }),
    })),
  record: fc
    .tuple(
      fc.constantFrom(
        { propertyNames: { pattern: '^[a-c]{1,3}$' } },
        { propertyNames: { enum: ['a', 'né'] } },
        { propertyNames: { type: 'string', not: { const: 'a' } } },
        { patternProperties: { '^a': true, b: { type: 'string' } } },
      ),
      tie('schema'),
    )
    .map(([names, additionalProperties]) => ({ type: 'object', ...names, additionalProperties })),
  array: fc.oneof(
    some(bounds('minItems', 'maxItems', fc.nat(4))).map((rest) => ({
      type: 'array',
      items: { enum: ['a', 'b"', 3, null] },
      uniqueItems: true,
      ...rest,
    })),
    fc
      .tuple(tie('schema'), some(bounds('minItems', 'maxItems', fc.nat(3))))
      .map(([items, rest]) => ({ type: 'array', maxItems: 3, items, ...rest })),
    fc
      .tuple(fc.array(leaves, { minLength: 1, maxLength: 3 }), fc.boolean())
      .map(([prefixItems, closed]) => ({ type: 'array', prefixItems, ...(closed && { items: false }) })),
  ),
  choice: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
  all: fc.tuple(tie('object'), tie('object')).map((allOf) => ({ allOf })),
  recursive: fc.tuple(words, tie('schema')).map(([name, value]) => ({
    type: 'object',
    properties: { [name]: value, next: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/leaf' }] } },
    required: ['next'],
  })),
}));
export const randomSchemas = schemas.map((schema) => ({
  ...schema,
  $defs: { leaf: { type: 'array', items: { $ref: '#/$defs/leaf' }, maxItems: 2 } },
}));
