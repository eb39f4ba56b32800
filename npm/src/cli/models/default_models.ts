// The models that commands use without --model, from the package `quintet-models`.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { UsageError } from '../ending.js';

interface DefaultModels {
  embedder: URL;
  storyteller: URL;
  classifier: URL;
}

/** The path of a default model. */
export async function defaultModel(model: keyof DefaultModels): Promise<string> {
  return fileURLToPath((await defaultModels())[model]);
}

async function defaultModels(): Promise<DefaultModels> {
  const entry = findPackage();
  if (entry === undefined) {
    throw new UsageError(
      '--model is missing, and the package with the default models is not installed: npm install quintet-models',
    );
  }
  return (await import(pathToFileURL(entry).href)) as DefaultModels;
}

function findPackage(): string | undefined {
  // In the user's project, then next to this program (a global installation).
  for (const base of [join(process.cwd(), 'package.json'), fileURLToPath(import.meta.url)]) {
    try {
      return createRequire(base).resolve('quintet-models');
    } catch {}
  }
  // In the repository it is a folder: dist/cli.js, models/index.js.
  const folder = fileURLToPath(new URL('../models/index.js', import.meta.url));
  return existsSync(folder) ? folder : undefined;
}
