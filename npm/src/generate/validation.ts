// Checks values with Standard Schemas.

import { inputError } from '../base/errors.js';
import type { StandardSchema } from '../base/standard_schema.js';

/**
 * The value as the schema returns it.
 * @throws QuintetError INPUT with all that the schema finds
 */
export async function validated(schema: StandardSchema, value: unknown, where: string): Promise<unknown> {
  const { validate } = schema['~standard'];
  if (!validate) return value;
  const result = await validate(value);
  if (!result.issues) return result.value;
  const issues = result.issues.map(({ message, path = [] }) => {
    const place = path.map((key) => String(typeof key === 'object' ? key.key : key)).join('.');
    return place ? `${place}: ${message}` : message;
  });
  throw inputError('mismatch', `${where}: the schema rejects the value: ${issues.join('; ')}`);
}
