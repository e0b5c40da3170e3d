/**
 * The image and its composition, as far as they can be tested without a container engine. A linter checks the Dockerfile,
 * and the commands of the containers run here, on the package that the image is made of.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
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

/** The arguments of this instruction in the last stage. */
function saidBy(dockerfile: Dockerfile, keyword: string): readonly string[] {
  const last = dockerfile.getFROMs().at(-1)?.getRange().start.line ?? 0;
  return dockerfile
    .getInstructions()
    .filter((one) => one.getKeyword() === keyword && one.getRange().start.line > last)
    .map((one) => one.getArgumentsContent() ?? '');
}

/** The command of the last stage's health check, and what starts the container. */
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

  test('is built on one image of a pinned major version, and runs as an unprivileged user', () => {
    const images = dockerfile.getFROMs().map((from) => from.getImage());
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Docker's own variable.
    expect(new Set(images)).toStrictEqual(new Set(['${NODE_IMAGE}']));
    expect(dockerfile.getInitialARGs().map((arg) => arg.getArgumentsContent())).toStrictEqual([
      'NODE_IMAGE=node:26-slim',
    ]);
    expect(saidBy(dockerfile, 'USER')).toStrictEqual(['node']);
    expect(saidBy(dockerfile, 'STOPSIGNAL')).toStrictEqual(['SIGTERM']);
  });

  test('installs dependencies before it copies the sources, so that a change of sources keeps that layer', () => {
    const [install, sources] = [/^RUN npm ci/m, /^COPY \. \.$/m].map((line) => text.search(line));
    expect(install).toBeGreaterThan(text.indexOf('COPY package.json package-lock.json ./'));
    expect(sources).toBeGreaterThan(install ?? Number.NaN);
  });

  test('labels the image with the version of the package', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      readonly version: string;
    };
    expect(saidBy(dockerfile, 'ARG')).toStrictEqual([`VERSION=${version}`, 'REVISION=unknown']);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Docker's own variable.
    expect(saidBy(dockerfile, 'LABEL').join()).toContain('org.opencontainers.image.version="${VERSION}"');
  });

  test('copies only what the package has', () => {
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
      // Without the variables that the test runner sets, such as BASE_URL.
      env: { PATH: process.env.PATH },
    });
    expect(stdout).toMatch(/^Usage: fleetsift serve/);
  });

  test('has a health check that succeeds only while the service answers', async () => {
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
        readonly command?: readonly string[];
        readonly ports?: readonly string[];
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

  test('publishes on the loopback address only', () => {
    const ports = Object.values(services).flatMap((service) => service.ports ?? []);
    expect(ports).toStrictEqual(['127.0.0.1:3000:3000', '127.0.0.1:8025:8025']);
  });

  test('makes a password once, and configures a service that starts with it on a read-only root', async () => {
    const { fleetsift, database, secrets } = services;
    const directory = await mkdtemp(join(tmpdir(), 'composition-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const [shell = '', ...args] = (secrets?.command ?? []).map((argument) =>
      argument.replaceAll('$$', '$').replaceAll('/secrets', directory),
    );
    // Only root may give files to others.
    const script = args.map((argument) => argument.replaceAll(/^\s*chown .*$/gm, ''));
    await run(shell, script);
    const password = (await readFile(join(directory, 'password'), 'utf8')).trim();
    await run(shell, script);

    const inDirectory = (path = '') => path.replace('/secrets', directory);
    const environment = Object.fromEntries(
      Object.entries(fleetsift?.environment ?? {}).map(([name, value]) => [
        name,
        inDirectory(value.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')),
      ]),
    );
    const config = readConfig(environment);
    if (!config.ok) throw new Error(config.error.join('\n'));
    expect(password).toMatch(/^[\w-]{32}$/);
    expect(inDirectory(database?.environment?.POSTGRES_PASSWORD_FILE)).toBe(join(directory, 'password'));
    expect(config.value).toMatchObject({
      databaseUrl: `postgres://fleetsift:${password}@database:5432/fleetsift`,
      smtpUrl: 'smtp://mail:1025',
      baseUrl: 'http://localhost:3000',
    });
    expect(fleetsift?.read_only).toBe(true);
    const { drainSeconds } = config.value;
    expect(Number.parseInt(fleetsift?.stop_grace_period ?? '', 10)).toBeGreaterThan(drainSeconds + 10);
  });
});
