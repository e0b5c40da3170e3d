/**
 * The layers hold: whoever imports across them is refused by the linter, which is shown here for files planted in
 * each place. They are linted in one go, and gone afterwards, whatever happens.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/** A folder, and what a file in it imports. */
type Import = readonly [folder: string, imported: string];

const REFUSED: readonly Import[] = [
  ['src/domain', '#application/call.ts'],
  ['src/domain/filter', '#adapters/memory/tables/world.ts'],
  ['src/domain', 'node:fs'],
  ['src/domain', 'valibot'],
  ['src/domain/filter', '../result.ts'],
  ['src/application', '#adapters/memory/tables/world.ts'],
  ['src/application/filters', 'hono'],
  ['src/application', 'node:crypto'],
  ['src/application/ports', 'pg'],
  ['src/adapters/memory', '#adapters/postgres/transactional/orm.ts'],
  ['src/adapters/memory', 'tsyringe'],
  ['src/adapters/postgres', '#adapters/http/app.ts'],
  ['src/adapters/postgres/setup/migrations', '#domain/time.ts'],
  ['src/adapters/postgres/setup/migrations', '#adapters/postgres/setup/row-level-security.ts'],
  ['src/adapters/postgres/setup/migrations', 'node:crypto'],
  ['src/adapters/http', '#adapters/memory/tables/world.ts'],
  ['src/adapters/http', 'reflect-metadata'],
  ['src/adapters/auth', 'tsyringe'],
  ['src/adapters/system', '#adapters/auth/api-key.ts'],
  ['src/adapters/cli', '#adapters/load/read-load.ts'],
  ['src/adapters/glpi', '../../main.ts'],
  ['src/adapters/load', '#adapters/demo/demo-fleet.ts'],
  ['src/adapters/demo', '../memory/world.ts'],
  ['src/adapters/embedded-postgres', '#adapters/postgres/transactional/orm.ts'],
];

const TAKEN: readonly Import[] = [
  ['src/domain/filter', '#domain/result.ts'],
  ['src/domain/filter', './operator.ts'],
  ['src/application/filters', '#domain/result.ts'],
  ['src/application/filters', '#application/call.ts'],
  ['src/adapters/memory', '#application/call.ts'],
  ['src/adapters/memory', '#adapters/memory/tables/world.ts'],
  ['src/adapters/postgres', 'pg'],
  ['src/adapters/postgres/setup/migrations', '@mikro-orm/migrations'],
  ['src/adapters/postgres/setup/migrations', './migration-20261120-fleet.ts'],
  ['src/adapters/http', 'hono'],
];

const planted = new Map(
  [...REFUSED, ...TAKEN].map((entry) => [entry, join(entry[0], `planted-${randomUUID()}.ts`)] as const),
);

/** The files, relative to the root, whose import the linter refuses. */
let refused: ReadonlySet<string>;

const remove = () => {
  for (const file of planted.values()) rmSync(join(ROOT, file), { force: true });
};

beforeAll(async () => {
  // Should the process end in between, what was planted goes with it.
  process.once('exit', remove);
  try {
    for (const [[, imported], file] of planted) {
      const source = `import { planted } from '${imported}';\n\nexport const result = planted;\n`;
      writeFileSync(join(ROOT, file), source);
    }
    refused = await lint([...planted.values()]);
  } finally {
    remove();
  }
}, 120_000);

afterAll(() => {
  process.off('exit', remove);
});

test.each(REFUSED)('a file in %s that imports %s is refused', (...entry) => {
  expect(refused).toContain(fileOf(entry));
});

test.each(TAKEN)('a file in %s that imports %s is taken', (...entry) => {
  expect(refused).not.toContain(fileOf(entry));
});

function fileOf([folder, imported]: Import): string {
  const found = [...planted].find(([entry]) => entry[0] === folder && entry[1] === imported);
  if (found === undefined) throw new Error(`nothing was planted in ${folder}`);
  return found[1];
}

/** Throws where the linter did not run to its end. */
function lint(files: readonly string[]): Promise<ReadonlySet<string>> {
  const biome = join(ROOT, 'node_modules', '.bin', 'biome');
  const args = [
    'lint',
    '--colors=off',
    '--max-diagnostics=none',
    '--only=style/noRestrictedImports',
    ...files,
  ];
  return new Promise((resolve, reject) => {
    execFile(biome, args, { cwd: ROOT, maxBuffer: 1 << 24 }, (_error, stdout, stderr) => {
      const output = `${stdout}${stderr}`;
      if (!output.includes(`Checked ${files.length} files`)) reject(new Error(output));
      const places = output.matchAll(/^(\S+?):\d+:\d+ lint\/style\/noRestrictedImports/gm);
      resolve(new Set(places.map(([, file]) => file ?? '')));
    });
  });
}
