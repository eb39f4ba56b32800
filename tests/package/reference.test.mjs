// The reference of the API: made of the types and their comments.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Application } from 'typedoc';

const root = fileURLToPath(new URL('../../', import.meta.url));

test('every public name is in it, and every link has a target', async () => {
  const application = await Application.bootstrapWithPlugins({ options: `${root}typedoc.json` });
  const project = await application.convert();
  application.validate(project);
  expect(application.logger.warningCount + application.logger.errorCount).toBe(0);
  await application.generateOutputs(project);
  for (const page of [
    'classes/index.Embedder',
    'functions/safetensors.readSafetensors',
    'variables/index.modelCache',
  ]) {
    expect(existsSync(`${root}build/reference/${page}.html`)).toBe(true);
  }
});
