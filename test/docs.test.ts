/** Links of the documentation lead somewhere, and its tables match the code exactly. */

import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { Command } from 'commander';
import { expect, onTestFinished, test, vi } from 'vitest';
import { digestSecret } from '#adapters/auth/secret-generator.ts';
import type { CliRuntime } from '#adapters/cli/cli-runtime.ts';
import { runProgram } from '#adapters/cli/program.ts';
import { readLoadFile } from '#adapters/load/read-load-file.ts';
import { createMemoryBackend } from '#adapters/memory/memory-backend.ts';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { readConfig } from '#adapters/system/read-config.ts';
import { CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';
import { parseConditions } from '#domain/filter/conditions/parse-conditions.ts';
import { compileFilter, indexFilters } from '#domain/filter/plain/compile-filter.ts';
import { newId } from '#test/support/builders.ts';
import { and } from '#test/support/filters.ts';
import { figuresOn } from '../bench/report/results-page.ts';
import { fillSpeedTable, SPEED_ROWS } from '../bench/report/speed-table.ts';
import { compose } from '../src/main.ts';

const ROOT = join(import.meta.dirname, '..');
const README = read('README.md');
const MANUAL = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...globSync('docs/**/*.md', { cwd: ROOT }),
];
const PAGES = [...MANUAL, ...globSync('{src,bench,test}/**/*.md', { cwd: ROOT })];

test.each(PAGES)('every relative link in %s leads to a file, and to a heading of it', (page) => {
  const broken = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target) && !leadsSomewhere(page, target));
  expect(broken).toStrictEqual([]);
});

test.each(MANUAL)('every file of the repository that %s names exists', (page) => {
  const named = [...read(page).matchAll(/(?<![\w/.-])((?:src|test|docs|bench|\.ci)\/[\w./-]*\w)/g)];
  const missing = named.map(([, path = '']) => path).filter((path) => !existsSync(join(ROOT, path)));
  expect(missing).toStrictEqual([]);
});

test('the README links every page of the manual, and the index of decisions every decision', () => {
  const isDecision = (page: string) => /^docs\/decisions\/\d/.test(page);
  for (const page of MANUAL.slice(1).filter((page) => !isDecision(page))) {
    expect(README).toContain(`](${page})`);
  }
  const index = read('docs/decisions/README.md');
  for (const page of MANUAL.filter(isDecision)) {
    const [, title = 'no title'] = /^# (.+)/.exec(read(page)) ?? [];
    expect(index).toContain(`[${title}](${basename(page)})`);
  }
});

test('no package that users install is overridden, because npm ignores overrides of an installed package', () => {
  const { overrides } = JSON.parse(read('package.json'));
  const { packages } = JSON.parse(read('package-lock.json'));
  const shipped = Object.keys(overrides).filter((name) => !packages[`node_modules/${name}`].dev);
  expect(shipped).toStrictEqual([]);
});

test('the manual creates the user, the settings and the data directory that the systemd unit names', () => {
  const unit = read('docs/deployment/fleetsift.service');
  const setting = (name: string) => new RegExp(`^${name}=(.+)$`, 'm').exec(unit)?.[1] ?? `no ${name}`;
  const manual = read('docs/operating.md');
  const data = `/var/lib/${setting('StateDirectory')}`;
  const settings = setting('EnvironmentFile');
  expect(manual).toContain(
    `useradd --system --home-dir ${data} --shell /usr/sbin/nologin ${setting('User')}\n`,
  );
  expect(manual).toContain(`install -D -m 600 /dev/null ${settings}\n`);
  // In the file and not in the unit, because commands read it as well.
  expect(manual).toContain(`echo 'DATA_DIR=${data}' >> ${settings}\n`);
  expect(unit).not.toMatch(/^Environment=.*DATA_DIR/m);
});

test('PgBouncer can read the configuration that the manual shows, and listens on TCP', () => {
  const [, shown = ''] = /```ini\n(\[databases\][^`]*)```/.exec(read('docs/scaling.md')) ?? [];
  expect(shown).toContain('\nlisten_addr = ');
  // After a value, a comment would be part of the value.
  const unread = shown.split('\n').filter((line) => !/^(;.*|\[\w+\]|\w+ = [^;]+|)$/.test(line));
  expect(unread).toStrictEqual([]);
});

test("the README's speeds are those that were measured last", () => {
  expect(fillSpeedTable(README, figuresOn(read('bench/results.md')))).toBe(README);
});

test("the report fills in the README's speeds, except for two of the console", () => {
  const filled = new Set(SPEED_ROWS.map(({ says }) => says));
  const byHand = tableUnder('### How fast it is').flatMap(([says = '']) => (filled.has(says) ? [] : [says]));
  expect(byHand).toStrictEqual([
    'console: a window down, to the last of 100k devices, sorting, opening a device',
    'console: tasks over 50 ms while typing and scrolling; frames dropped',
  ]);
});

test('the configuration table has the variables that are read, with their defaults', () => {
  const source = read('src/adapters/system/read-config.ts');
  const known = [...source.matchAll(/(?:setting|optional)\(\s*'([A-Z][A-Z_]+)'/g)].map(([, name]) => name);
  const rows = tableUnder('## Configuration');
  expect(rows.map(([name = '']) => unquote(name)).sort()).toStrictEqual(known.sort());

  const config = readConfig({});
  const defaults = new Map(Object.entries(config.ok ? config.value : {}));
  for (const [name = '', shown = ''] of rows) {
    if (!shown.startsWith('`')) continue;
    const value = defaults.get(toCamelCase(unquote(name)));
    expect([name, unquote(shown)]).toStrictEqual([name, typeof value === 'boolean' ? 'on' : String(value)]);
  }
});

test('the API table has the routes that are registered', async () => {
  const backend = createMemoryBackend({
    clock: Date.now,
    newId,
    hashPassword: async () => 'hash',
    digestSecret,
    translatePattern,
  });
  const config = { databaseUrl: null, migrate: false, filterTimeoutMs: 1, trustedProxies: [] };
  const service = await compose({ ...config, logLevel: 'silent' }, { backend });
  onTestFinished(() => service.close());
  const registered = service.app.routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method} ${path}`);

  const documented = tableUnder('## The API').flatMap(([methods = '', path = '', says = '']) => {
    const base = says.includes('(outside `/api/v1`)') ? '' : '/api/v1';
    return methods.split(' ').map((method) => `${unquote(method)} ${base}${unquote(path)}`);
  });
  expect(documented.sort()).toStrictEqual([...new Set(registered)].sort());
});

test('the command table has every command, with only options that it takes', async () => {
  const commands = leavesOf(await commandLine());
  const rows = tableUnder('## The command line');
  const documented = rows.map(([usage = '']) => COMMAND.exec(usage)?.[1]);
  expect(documented.sort()).toStrictEqual([...commands.keys()].sort());
  for (const [usage = '', says = ''] of rows) {
    const name = COMMAND.exec(usage)?.[1] ?? '';
    const options = commands.get(name)?.options.map(({ long }) => long);
    for (const [option] of `${usage} ${says}`.matchAll(/--[a-z-]+/g)) expect(options).toContain(option);
  }
});

/** The names of a command and its subcommands. */
const COMMAND = /^`([a-z]+(?:-[a-z]+)*(?: [a-z]+(?:-[a-z]+)*){0,2})/;

test('the example of the load format can be loaded, and has every member of the table', async () => {
  const example = join(ROOT, 'docs/example-fleet.json');
  const page = read('docs/loading.md');
  const members = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect([...Object.keys(JSON.parse(readFileSync(example, 'utf8'))), 'apiKeys'].sort()).toStrictEqual(
    members.sort(),
  );
  const backend = createMemoryBackend({
    clock: Date.now,
    newId,
    hashPassword: async () => 'hash',
    digestSecret,
    translatePattern,
  });
  const loaded = await backend.fleetWriter(readLoadFile(example));
  expect(loaded).toMatchObject({
    ok: true,
    value: { organization: 1, user: 1, device: 1, alert: 1, filter: 1 },
  });
});

test('no organization that the manual creates is in the example, so none is created twice', () => {
  const { partners, organizations } = JSON.parse(read('docs/example-fleet.json'));
  const taken = [...partners, ...organizations].map(({ name }: { readonly name: string }) => name);
  const created = MANUAL.flatMap((page) => [...read(page).matchAll(/org create .*/g)]);
  const names = created.flatMap(([line]) => [...line.matchAll(/--(?:name|partner) '([^']+)'/g)]);
  expect(names.length).toBeGreaterThan(0);
  for (const [, name] of names) expect(taken).not.toContain(name);
});

test('every npm script that the manual names exists', () => {
  const { scripts } = JSON.parse(read('package.json'));
  const named = MANUAL.flatMap((page) => [...read(page).matchAll(/npm run ([\w:]+)/g)]);
  for (const [, script] of named) expect(Object.keys(scripts)).toContain(script);
});

test('every import that the manual shows can be imported', async () => {
  const shown = MANUAL.flatMap((page) => [
    ...read(page).matchAll(/^import \{ ([\w, ]+) \} from '(fleetsift[\w/-]*)';$/gm),
  ]);
  expect(shown.length).toBeGreaterThan(0);
  for (const [, names = '', specifier = ''] of shown) {
    const module: object = await import(/* @vite-ignore */ specifier);
    expect(Object.keys(module)).toEqual(expect.arrayContaining(names.split(', ')));
  }
});

test('the example of the filter index finds the filters that match', async () => {
  const [, example = ''] =
    /## Which filters match a device\n.*?```ts\n(.*?)```/s.exec(read('docs/embedding.md')) ?? [];
  const body = example.replace(/^import .*$/gm, '');
  const names = ['compileFilter', 'indexFilters', 'savedFilters', 'device'];
  const run = new Function(...names, `${body}; return matching;`);
  const orgId = newId<'organization'>();
  const withTag = (tag: string) => and({ field: 'tags', operator: 'contains', value: tag });
  const savedFilters = [
    { id: 'yes', orgId, conditions: withTag('vip') },
    { id: 'no', orgId, conditions: withTag('lab') },
    { id: 'elsewhere', orgId: newId(), conditions: withTag('vip') },
  ];
  const device = { orgId, hostname: 'srv-1', tags: ['vip'] };
  expect(run(compileFilter, indexFilters, savedFilters, device)).toStrictEqual(['yes']);
});

test('the tour shows the fault that the service answers', () => {
  const typo = { field: 'hostnam', operator: 'equals', value: 'x' };
  const parsed = parseConditions({ operator: 'AND', conditions: [typo] }, CORE_CATALOG);
  const [fault] = parsed.ok ? [] : parsed.error;
  expect(README).toContain(JSON.stringify(fault?.message));
});

function read(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}

function leadsSomewhere(page: string, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : relative(ROOT, join(ROOT, dirname(page), path));
  if (!existsSync(join(ROOT, file))) return false;
  return anchor === undefined || anchorsOf(file).includes(anchor);
}

/** The anchors that GitHub makes from headings. */
function anchorsOf(page: string): readonly string[] {
  return [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

/** The cells of the first table under the heading, row by row, without its head. */
function tableUnder(heading: string): readonly (readonly string[])[] {
  const [, section = ''] = README.split(`\n${heading}\n`);
  const [, table = ''] = /\n\|[-|]+\|\n((?:\|.*\|\n)+)/.exec(section) ?? [];
  return table
    .trimEnd()
    .split('\n')
    .map((row) =>
      row
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

function unquote(cell: string): string {
  return cell.replaceAll('`', '');
}

function toCamelCase(name: string): string {
  return name.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The program just before it reads its arguments. */
async function commandLine(): Promise<Command> {
  const built: Command[] = [];
  const parse = vi.spyOn(Command.prototype, 'parseAsync').mockImplementation(function (this: Command) {
    built.push(this);
    return Promise.resolve(this);
  });
  onTestFinished(() => parse.mockRestore());
  await runProgram({} as CliRuntime, []);
  const [program] = built;
  if (program === undefined) throw new Error('no command line was built');
  return program;
}

/** The commands without subcommands, by full name. */
function leavesOf(program: Command, prefix = ''): ReadonlyMap<string, Command> {
  return new Map(
    program.commands.flatMap((command) => {
      const name = `${prefix}${command.name()}`;
      return command.commands.length > 0 ? [...leavesOf(command, `${name} `)] : [[name, command] as const];
    }),
  );
}
