/** The domain in a browser: how much there is to load. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { expect, inject, test } from 'vitest';

const bareProject = inject('bareProject');

/** Contract: §15. */
const MAX_BYTES = 33_000;

test.each([
  ['all of it', "import * as domain from 'fleetsift/domain'; globalThis.domain = domain;", MAX_BYTES],
  [
    'compileFilter alone',
    "import { compileFilter } from 'fleetsift/domain'; globalThis.filter = compileFilter;",
    16_000,
  ],
])('bundled for a page, %s is small, and needs nothing of Node', async (name, source, limit) => {
  const input = join(bareProject, `${name.replaceAll(' ', '-')}.js`);
  await writeFile(input, source);
  const code = await bundle(input);
  expect(code).not.toMatch(/["`']node:|require\(|process\./);
  expect(gzipSync(code).length).toBeLessThan(limit);
});

async function bundle(input: string): Promise<string> {
  const built = await build({
    root: bareProject,
    configFile: false,
    envDir: false,
    logLevel: 'error',
    build: { write: false, target: 'baseline-widely-available', rolldownOptions: { input } },
  });
  const [output] = [built].flat();
  if (output === undefined || !('output' in output)) throw new Error('nothing was built');
  return output.output.map((file) => (file.type === 'chunk' ? file.code : '')).join('');
}
