// Schemas of zod, valibot, ArkType and others, by the interfaces that they share: https://standardschema.dev

import { inputError, messageOf } from './errors.js';

/** A Standard Schema: the type of a value, and its checks. The JSON schema is part of Standard JSON Schema. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly validate?: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;
    };
  };
}

/** The result of `validate` of a Standard Schema. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string;
        readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
      }[];
    };

/** The type of the values that a Standard Schema returns. */
export type StandardOutput<Schema extends StandardSchema> = NonNullable<Schema['~standard']['types']>['output'];

export function isStandardSchema(value: unknown): value is StandardSchema {
  return (
    /^(object|function)$/.test(typeof value) &&
    value !== null &&
    typeof (value as Partial<StandardSchema>)['~standard'] === 'object' &&
    !isJsonSchemaOfZod(value as object)
  );
}

/** z.toJSONSchema() returns a JSON schema, with the schema that it was made from hidden in it. */
function isJsonSchemaOfZod(value: object): boolean {
  const hidden = Object.getOwnPropertyDescriptor(value, '~standard');
  return hidden?.enumerable === false && Object.getPrototypeOf(value) === Object.prototype;
}

/** The JSON schema of a Standard Schema; anything else unchanged. */
export function jsonSchemaOf(schema: unknown, where: string): unknown {
  if (!isStandardSchema(schema)) return schema;
  const { vendor, jsonSchema } = schema['~standard'];
  const refused = (why: string) =>
    inputError('wrong_type', `${where}: the schema of ${vendor} has no JSON schema: ${why}`);
  if (!jsonSchema)
    throw refused('it needs zod 4.2, ArkType 2.1.28, or toStandardJsonSchema of @valibot/to-json-schema');
  try {
    return jsonSchema.input({ target: 'draft-2020-12' });
  } catch (error) {
    throw refused(messageOf(error));
  }
}
