// Errors of templates: of their syntax, and while they run.

import { type ErrorReason, inputError, type QuintetError } from '../../base/errors.js';

export const chatError = (reason: ErrorReason, message: string): QuintetError => inputError(reason, message);

/** The template is not valid. */
export const syntaxError = (line: number, message: string): QuintetError =>
  chatError('malformed', `chat template, line ${line}: ${message}`);

/** The template uses a value in a way that is not possible. */
export const renderError = (message: string): QuintetError => chatError('malformed', `chat template: ${message}`);
