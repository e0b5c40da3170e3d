/**
 * The image and its composition, as far as they go without a container engine: held to the rules for Dockerfiles, and
 * the commands that containers run are run here, by hand, on the package that the image is made of.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Dockerfile, DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '#adapters/system/read-config.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);
const installed = join(inject('project'), 'node_modules/fleetsift');

const text = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');

/** What the last stage says with this instruction. */
function saidBy(dockerfile: Dockerfile, keyword: string): readonly string[] {
  const last = dockerfile.getFROMs().at(-1)?.getRange().start.line ?? 0;
  return dockerfile
    .getInstructions()
    .filter((one) => one.getKeyword() === keyword && one.getRange().start.line > last)
    .map((one) => one.getArgumentsContent() ?? '');
}

/** The command of the last stage's health check, and what begins the container. */
function commandsIn(dockerfile: Dockerfile) {
  const exec = (said: string | undefined) => JSON.parse(said?.slice(said.indexOf('[')) ?? '[]') as string[];
  const [health, entry, command] = ['HEALTHCHECK', 'ENTRYPOINT', 'CMD'].map((keyword) =>
    exec(saidBy(dockerfile, keyword)[0]),
  );
  return { health: health ?? [], start: [...(entry ?? []), ...(command ?? [])] };
}

describe('the Dockerfile', () => {
  const dockerfile = DockerfileParser.parse(text);

  test('has no fault that a linter knows', () => {
    expect(validate(text)).toStrictEqual([]);
    expect(validate('FROM node:26-slim\nMAINTAINER me\nRUN')).not.toStrictEqual([]);
  });

  test('is built on one image of a pinned major version, and runs as nobody special', () => {
    const images = dockerfile.getFROMs().map((from) => from.getImage());
    expect(new Set(images)).toStrictEqual(new Set(['node:26-slim']));
    expect(saidBy(dockerfile, 'USER')).toStrictEqual(['node']);
    expect(saidBy(dockerfile, 'STOPSIGNAL')).toStrictEqual(['SIGTERM']);
  });

  test('copies what the package has', () => {
    const copied = saidBy(dockerfile, 'COPY').map((said) => /\/build\/(\S+)/.exec(said)?.[1] ?? '');
    expect(copied).toStrictEqual(['package.json', 'node_modules', 'dist']);
    for (const path of ['package.json', 'dist/bin.js', 'dist/console/index.html']) {
      expect(existsSync(join(installed, path))).toBe(true);
    }
  });

  test('starts the program', async () => {
    const [program = '', ...args] = commandsIn(dockerfile).start;
    expect([program, args.at(-1)]).toStrictEqual(['node', 'serve']);
    const { stdout } = await run(process.execPath, [...args, '--help'], {
      cwd: installed,
      // Not what the test runner sets, such as BASE_URL.
      env: { PATH: process.env.PATH },
    });
    expect(stdout).toMatch(/^Usage: fleetsift serve/);
  });

  test('is healthy while the service answers, and not when it does not', async () => {
    const asked: (string | undefined)[] = [];
    let status = 200;
    const server = createServer((request, response) => {
      asked.push(request.url);
      response.writeHead(status).end();
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const [, ...args] = commandsIn(dockerfile).health;
    const check = () =>
      run(process.execPath, args, { env: { PORT: String(port) } }).then(
        () => 0,
        ({ code }: { readonly code: number }) => code,
      );
    expect([await check(), asked]).toStrictEqual([0, ['/healthz']]);
    status = 503;
    expect(await check()).toBe(1);
    server.closeAllConnections();
    server.close();
    expect(await check()).toBe(1);
  });
});

interface Composition {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly image?: string;
        readonly build?: string;
        readonly environment?: Readonly<Record<string, string>>;
        readonly read_only?: boolean;
        readonly stop_grace_period?: string;
      }
    >
  >;
}

describe('compose.yaml', () => {
  const { services } = parse(readFileSync(join(ROOT, 'compose.yaml'), 'utf8')) as Composition;

  test('pins every image that it does not build', () => {
    for (const { image, build } of Object.values(services)) {
      if (build === undefined) expect(image).toMatch(/^[a-z/]+:v?[0-9.]+$/);
    }
  });

  test('configures a service that starts as it stands, on a read-only root', () => {
    const { fleetsift } = services;
    const environment = Object.fromEntries(
      Object.entries(fleetsift?.environment ?? {}).map(([name, value]) => [
        name,
        value.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1'),
      ]),
    );
    const config = readConfig(environment);
    if (!config.ok) throw new Error(config.error.join('\n'));
    expect(config.value).toMatchObject({
      databaseUrl: 'postgres://fleetsift:fleetsift@database:5432/fleetsift',
      smtpUrl: 'smtp://mail:1025',
      baseUrl: 'http://localhost:3000',
    });
    expect(fleetsift?.read_only).toBe(true);
    const { drainSeconds } = config.value;
    expect(Number.parseInt(fleetsift?.stop_grace_period ?? '', 10)).toBeGreaterThan(drainSeconds + 10);
  });
});
