/**
 * The layers hold: biome.json has the rule of every folder, and the linter refuses what a rule refuses. The linter checks
 * planted files in an otherwise empty copy of the tree below `src`: one import a line, of every kind, in every folder.
 */
import { execFile } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { foldersIn, layerOverrides } from './support/layers/layer-rules.ts';
import { type Planted, plantedImports } from './support/layers/planted-imports.ts';

const ROOT = join(import.meta.dirname, '..');
const FOLDERS = globSync('src/**/', { cwd: ROOT }).filter(
  (folder) => folder !== 'src' && folder !== 'src/adapters',
);

const RULE = '--only=style/noRestrictedImports';

test('biome.json has exactly the rules of the folders', () => {
  const { overrides }: { overrides: { includes: readonly string[] }[] } = JSON.parse(
    readFileSync(join(ROOT, 'biome.json'), 'utf8'),
  );
  const rules = overrides.filter(({ includes }) => includes.some((glob) => glob.startsWith('src/')));
  expect(rules, 'run: node test/scripts/write-layer-rules.ts').toStrictEqual(layerOverrides());
});

/** Small, without a library, and part of every service. */
const LOADED_WITH_FACTORIES = ['#adapters/system/clock.ts', '#adapters/system/id-generator.ts'];

test.each(globSync('src/main/**/*.ts', { cwd: ROOT }))(
  '%s imports use cases and adapters only as types or when a factory runs',
  (file) => {
    const source = readFileSync(join(ROOT, file), 'utf8');
    const imports = source.matchAll(
      /^(?:import|export) (?!type )(?:[^;=(]*? from )?'(#(?:adapters|application)\/[^']+)'/gm,
    );
    const loaded = [...imports].map(([, specifier]) => specifier);
    expect(loaded.filter((specifier) => !LOADED_WITH_FACTORIES.includes(specifier ?? ''))).toStrictEqual([]);
  },
);

test.each(globSync(['bench/**/*.ts', 'test/**/fixtures/*.ts'], { cwd: ROOT }))(
  '%s, which Node runs from source, imports main.ts and not the last build of it',
  (file) => {
    expect(readFileSync(join(ROOT, file), 'utf8')).not.toMatch(/ from 'fleetsift/);
  },
);

test('the types of the API bring no code of the server into the console', () => {
  const source = readFileSync(join(ROOT, 'src/adapters/http/api-types.ts'), 'utf8');
  const statements = source
    .replace(/\/\*.*?\*\//gs, '')
    .split(';')
    .map((statement) => statement.trim());
  for (const statement of statements) expect(statement).toMatch(/^(export type \{[^}]*\} from '[^']+')?$/);
});

test('the folders in src are exactly the layers', () => {
  expect(foldersIn('src')).toStrictEqual(['adapters', 'application', 'domain', 'exports', 'main']);
});

test.each([
  'src',
  'src/domain',
  'src/domain/filter',
  'src/application',
  'src/adapters',
  'src/adapters/cli',
  'src/adapters/http',
  'src/adapters/memory',
  'src/adapters/postgres',
  'src/adapters/postgres/bulk',
  'src/adapters/postgres/reads',
  'src/adapters/postgres/setup',
  'src/adapters/postgres/transactional',
  'src/adapters/web/client',
])('docs/architecture.md shows the folders of %s', (folder) => {
  const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
  const [, tree = ''] = page.split('```');
  for (const name of foldersIn(folder)) expect(tree).toMatch(new RegExp(`\\b${name}/`));
});

describe('the linter', () => {
  const root = mkdtempSync(join(tmpdir(), 'fleetsift-layers-'));
  /** The imports that are refused, as written, by folder. */
  let refused: ReadonlyMap<string, readonly string[]>;

  beforeAll(async () => {
    copyFileSync(join(ROOT, 'biome.json'), join(root, 'biome.json'));
    for (const folder of FOLDERS) {
      mkdirSync(join(root, folder), { recursive: true });
      writeFileSync(join(root, folder, 'planted.ts'), sourceOf(plantedImports(folder)));
    }
    refused = await lint(root);
  }, 120_000);

  afterAll(() => rmSync(root, { recursive: true, force: true }));

  test.each(FOLDERS)('refuses in %s what its layer must not import, and nothing else', (folder) => {
    const planted = plantedImports(folder);
    expect(planted.refused.length).toBeGreaterThan(5);
    expect(planted.allowed.length).toBeGreaterThan(0);
    expect(refused.get(folder)).toStrictEqual(planted.refused);
  });
});

test('the linter refuses a promise that is not awaited, and one where none is expected', async () => {
  const root = mkdtempSync(join(tmpdir(), 'fleetsift-promises-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  copyFileSync(join(ROOT, 'biome.json'), join(root, 'biome.json'));
  writeFileSync(join(root, 'work.ts'), 'export async function work(): Promise<void> {}\n');
  writeFileSync(
    join(root, 'planted.ts'),
    [
      "import { work } from './work.ts';",
      'void work();',
      'work();',
      '[1].forEach(async () => work());',
      '',
    ].join('\n'),
  );
  const output = await runBiome(root, [], 'planted.ts');
  const found = [...output.matchAll(/^planted\.ts:(\d+):\d+ lint\/(\S+)/gm)].map(([, ...place]) => place);
  expect(found).toStrictEqual([
    ['3', 'nursery/noFloatingPromises'],
    ['4', 'nursery/noMisusedPromises'],
  ]);
});

/** One import a line. */
function sourceOf({ refused, allowed }: Planted): string {
  return [...refused, ...allowed].map((line) => `${line}\n`).join('');
}

/** Throws if the linter did not run to its end. */
async function lint(root: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const output = await runBiome(root, [RULE], 'src');
  if (!output.includes(`Checked ${FOLDERS.length} files`)) throw new Error(output);
  const places = [...output.matchAll(/^(\S+)\/planted\.ts:(\d+):\d+ lint\/style\/noRestrictedImports/gm)];
  const byFolder = Map.groupBy(places, ([, folder = '']) => folder);
  return new Map([...byFolder].map(([folder, found]) => [folder, linesOf(root, folder, found)]));
}

/** The output of the linter, whether it finds something or not. */
function runBiome(root: string, rules: readonly string[], path: string): Promise<string> {
  const args = ['lint', '--colors=off', '--vcs-enabled=false', '--max-diagnostics=none', ...rules, path];
  const biome = join(ROOT, 'node_modules/.bin/biome');
  return new Promise((resolve) => {
    execFile(biome, args, { cwd: root, maxBuffer: 1 << 26 }, (_error, stdout, stderr) =>
      resolve(`${stdout}${stderr}`),
    );
  });
}

function linesOf(root: string, folder: string, places: readonly RegExpExecArray[]): readonly string[] {
  const lines = readFileSync(join(root, folder, 'planted.ts'), 'utf8').split('\n');
  const numbers = places.map(([, , line]) => Number(line)).sort((a, b) => a - b);
  return numbers.map((number) => lines[number - 1] ?? '');
}
