/** The package has the right files, and others can import everything that it exports. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { findOldestNode, runModule, runNode } from './run-node.ts';

const project = inject('project');
const bareProject = inject('bareProject');
const installed = join(project, 'node_modules/fleetsift');
const ROOT = join(import.meta.dirname, '../..');

const ENTRIES = Object.keys(packageJson.exports).filter((name) => name !== './package.json');

describe('the files of the package', () => {
  const files = globSync('**/*', { cwd: installed, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(installed.length + 1));

  test('include the built console, and no sources or tests', () => {
    expect(new Set(files.map((file) => file.split('/')[0]))).toStrictEqual(
      new Set(['dist', 'docs', 'examples', 'README.md', 'CHANGELOG.md', 'SECURITY.md', 'package.json']),
    );
    expect(files).toContain('dist/console/index.html');
    const built = files.filter((file) => !file.startsWith('examples/'));
    expect(built.filter((file) => /(?<!\.d)\.tsx?$|\.test\.|fixtures/.test(file))).toStrictEqual([]);
  });

  test('have types beside each module, and keep the lines and columns of the source', async () => {
    const modules = files.filter((file) => /^dist\/(?!console\/|vendor\/).*\.js$/.test(file));
    expect(modules.length).toBeGreaterThan(500);
    for (const file of modules) {
      expect(files).toContain(file.replace(/\.js$/, '.d.ts'));
      const place = file.replace(/\.js$/, '.ts').slice('dist/'.length);
      const source = place.startsWith('testing/') ? place.replace('testing/', 'test/') : `src/${place}`;
      const lines = (await readFile(join(ROOT, source), 'utf8')).split('\n');
      const built = (await readFile(join(installed, file), 'utf8')).split('\n');
      const map = JSON.parse(await readFile(join(installed, `${file}.map`), 'utf8'));
      expect(map.sources).toStrictEqual([source]);
      expect(map.mappings.split(';')).toHaveLength(lines.length);
      expect(built.splice(-2, 1)).toStrictEqual([`//# sourceMappingURL=${basename(file)}.map`]);
      expect(built.length).toBe(lines.length);
      for (const [i, line] of built.entries()) {
        if (/^\s*'.*\.js'$/.test(line)) continue; // A path on its own line.
        const { 0: word = '', index = 0 } = /\w+/.exec(line) ?? {};
        expect(lines[i]?.startsWith(word, index), `${file}:${i + 1}`).toBe(true);
      }
    }
  });

  test('are below 10.5 MB', async () => {
    const sizes = await Promise.all(files.map(async (file) => (await stat(join(installed, file))).size));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(10_500_000);
  });

  test('name only commands that an installed package has', async () => {
    const named: string[] = [];
    for (const file of files.filter((name) => /^dist\/.*\.js$/.test(name))) {
      const text = await readFile(join(installed, file), 'utf8');
      if (/npm (?:run |start)/.test(text)) named.push(file);
    }
    expect(named).toStrictEqual([]);
    const migrations = await readFile(
      join(installed, 'dist/adapters/postgres/setup/migrate-database.js'),
      'utf8',
    );
    expect(migrations).toContain('Run: npx fleetsift migrate');
  });

  test.each(['api', 'embedding', 'inventory', 'loading', 'operating'])(
    'contain what docs/%s.md links to',
    async (page) => {
      const text = await readFile(join(installed, `docs/${page}.md`), 'utf8');
      const linked = [...text.matchAll(/\]\((?![a-z]+:|#)([^)#]+)/g)].map(([, path = '']) =>
        join('docs', path),
      );
      expect(linked.filter((path) => !existsSync(join(installed, path)))).toStrictEqual([]);
    },
  );

  test('say nothing about the machine that built them', async () => {
    for (const file of files.filter((name) => /\.(?:js|ts|map|json)$/.test(name))) {
      expect(await readFile(join(installed, file), 'utf8')).not.toContain(ROOT);
    }
  });
});

describe('an entry of the package', () => {
  test.each(ENTRIES)('can be imported: %s', async (entry) => {
    const name = `fleetsift${entry.slice(1)}`;
    const names = await runModule(
      project,
      `console.log(JSON.stringify(Object.keys(await import(${JSON.stringify(name)}))))`,
    );
    expect(JSON.parse(names)).not.toStrictEqual([]);
  });

  test('exports every port of the application', async () => {
    const source = await readFile(join(ROOT, 'src/exports/application.ts'), 'utf8');
    const ports = globSync('src/application/ports/**/*.ts', { cwd: ROOT });
    const missing = ports.filter((port) => !source.includes(`'#${port.replace(/^src\//, '')}'`));
    expect(missing).toStrictEqual([]);
  });
});

test('the domain and its regular expressions run on the oldest Node here, with nothing else installed', async () => {
  const { path } = await findOldestNode();
  const said = await runModule(
    bareProject,
    `
      import { compileFilter, indexFilters } from 'fleetsift/domain';
      import { translatePattern } from 'fleetsift/postgres-regex';
      const filter = compileFilter({ operator: 'AND', conditions: [
        { field: 'hostname', operator: 'matches', value: '^srv-(\\\\d)\\\\1$' },
        { field: 'software.installed', operator: 'hasAll', value: ['veeam', 'chrome'] },
        { operator: 'OR', conditions: [
          { field: 'hostname', operator: 'in', value: ['srv-11', 'srv-22'] },
          { field: 'hostname', operator: 'notEquals', value: 'srv-33' },
        ] },
        { field: 'custom.tier', operator: 'equals', value: 'gold' },
      ] }, { translatePattern, customFields: [{ key: 'tier', type: 'text' }] });
      if (!filter.ok) throw new Error(JSON.stringify(filter.error));
      const device = { hostname: 'srv-22', software: [{ name: 'Veeam' }, { name: 'Chrome' }], custom: { tier: 'gold' } };
      const index = indexFilters([{ id: 'one', filter: filter.value }]);
      console.log(filter.value(device, Date.now()), index.matching(device, Date.now()), index.matching({}, 0));
    `,
    path,
  );
  expect(said).toBe("true [ 'one' ] []\n");
});

test('an embedder can serve the console', async () => {
  const said = await runModule(
    project,
    `
      import { compose, openConsole } from 'fleetsift';
      import { createMemoryBackend } from 'fleetsift/memory';
      const pages = await openConsole();
      const config = { databaseUrl: null, logLevel: 'silent', findPages: () => pages };
      const service = await compose(config, { backend: createMemoryBackend() });
      for (const path of ['/', '/admin/account-deletion-requests/7', '/nowhere', '/healthz']) {
        const { status, headers } = await service.app.request(path, { headers: { Accept: 'text/html' } });
        console.log(path, status, headers.get('Content-Type'));
      }
    `,
  );
  expect(said.trim().split('\n')).toStrictEqual([
    '/ 200 text/html; charset=utf-8',
    '/admin/account-deletion-requests/7 200 text/html; charset=utf-8',
    '/nowhere 404 text/html; charset=utf-8',
    '/healthz 200 application/json',
  ]);
});

test('an inventory is read in a thread of the package', async () => {
  const said = await runModule(
    project,
    `
      const { readDocument } = await import('./node_modules/fleetsift/dist/adapters/glpi/messages/message-reader.js');
      const document = { deviceid: 'till-7', content: { versionclient: 'agent', softwares: [{ name: 'Veeam' }] } };
      const bytes = new TextEncoder().encode(JSON.stringify(document));
      const read = await readDocument({ bytes, coding: 'plain' }, 'org');
      console.log(read.ok, read.value.inventory.inventoryId, read.value.inventory.fields.software[0].name);
    `,
  );
  expect(said).toBe('true till-7 Veeam\n');
});

describe('the program', () => {
  test('runs, and installs no Node that would replace the one of the host', async () => {
    const program = join(installed, packageJson.bin.fleetsift);
    expect(await runNode(project, [program, '--version'])).toBe(`${packageJson.version}\n`);
    const packed = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as typeof packageJson;
    const brought = Object.keys({ ...packed.dependencies, ...packed.optionalDependencies });
    expect(brought.filter((name) => /^node(?:-bin)?-(?:linux|darwin|win)/.test(name))).toStrictEqual([]);
    expect((await stat(program)).mode & 0o111).toBe(0o111);
    expect(await readFile(program, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  test('serves the service with the console, on a new database', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'fleetsift-program-'));
    const child = spawn(process.execPath, [join(installed, packageJson.bin.fleetsift), 'serve'], {
      cwd: project,
      env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0', DEMO: 'off', LOG_LEVEL: 'silent' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    onTestFinished(async () => {
      if (child.exitCode === null) {
        child.kill('SIGINT');
        await once(child, 'exit');
      }
      await rm(dataDir, { recursive: true, force: true });
    });
    const url = await readyAt(child);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const page = await fetch(`${url}/`);
    expect(page.headers.get('content-type')).toMatch('text/html');
    const [, script] = /<script[^>]* src="([^"]+)"/.exec(await page.text()) ?? [];
    expect((await fetch(`${url}${script}`)).status).toBe(200);
  });
});

/** The address at which the program says that it is ready. Rejects with its output if it ends first. */
function readyAt(child: ChildProcessByStdio<null, null, Readable>): Promise<string> {
  let said = '';
  return new Promise((resolve, reject) => {
    // The output is read to its end, because a program with a closed pipe would fail.
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk;
      const [, url] = /ready at (\S+) /.exec(said) ?? [];
      if (url !== undefined) resolve(url);
    });
    child.once('exit', () => reject(new Error(`the program ended: ${said}`)));
  });
}
