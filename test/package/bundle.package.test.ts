/** How much code the domain and the client bring into a browser. */
import { globSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { expect, inject, test } from 'vitest';

const project = inject('project');
const bareProject = inject('bareProject');

/** Contract: §15. */
const MAX_BYTES = 35_000;

test.each([
  ['all of it', "import * as domain from 'fleetsift/domain'; globalThis.domain = domain;", MAX_BYTES],
  [
    'compileFilter alone',
    "import { compileFilter } from 'fleetsift/domain'; globalThis.filter = compileFilter;",
    16_000,
  ],
])('the domain in a browser bundle (%s) is small, and needs nothing of Node', async (name, source, limit) => {
  const input = join(bareProject, `${name.replaceAll(' ', '-')}.js`);
  await writeFile(input, source);
  const code = await bundle(bareProject, input);
  expect(code).not.toMatch(/["`']node:|require\(|process\./);
  expect(gzipSync(code).length).toBeLessThan(limit);
});

test('the client is small with openapi-fetch in it, and so are its types', async () => {
  const input = join(project, 'with-client.js');
  await writeFile(
    input,
    "import { createClient } from 'fleetsift/client'; globalThis.createClient = createClient;",
  );
  const code = await bundle(project, input);
  expect(code).not.toMatch(/["`']node:|require\(/);
  expect(gzipSync(code).length).toBeLessThan(5_000);
  const files = globSync(
    'node_modules/fleetsift/dist/{adapters/api-client,exports}/{api-paths,client}.{js,d.ts}',
    {
      cwd: project,
    },
  );
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(project, file))).size));
  expect(sizes).toHaveLength(6);
  expect(sizes.reduce((sum, size) => sum + size, code.length)).toBeLessThan(100_000);
});

async function bundle(root: string, input: string): Promise<string> {
  const built = await build({
    root,
    configFile: false,
    envDir: false,
    logLevel: 'error',
    build: { write: false, target: 'baseline-widely-available', rolldownOptions: { input } },
  });
  const [output] = [built].flat();
  if (output === undefined || !('output' in output)) throw new Error('nothing was built');
  return output.output.map((file) => (file.type === 'chunk' ? file.code : '')).join('');
}
