/** Serving the built console: pages by place, files by name, each with its headers (Contract: §14). */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONSOLE_POLICY, type ConsoleFiles, openConsoleFiles } from '#adapters/web/serve/console-files.ts';
import { fakeHttp } from '#test/support/http/http-fakes.ts';

const HOST_PAGES = { incidents: 'https://rmm.example/incidents', remoteAccess: null, vulnerabilities: null };

let dir: string;
let files: ConsoleFiles;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'fleetsift-console-'));
  await mkdir(join(dir, 'assets'));
  const contents = {
    'index.html': 'the console',
    'account-delete.html': 'the deletion',
    'icon.svg': '<svg/>',
    'assets/app-1a2b.js': 'plain',
    'assets/app-1a2b.js.br': 'compressed',
    'built-from': 'a digest',
  };
  for (const [name, content] of Object.entries(contents)) await writeFile(join(dir, name), content);
  files = await openConsoleFiles(dir, { hostPages: HOST_PAGES, basePath: '' });
});

afterAll(() => rm(dir, { recursive: true }));

const textOf = (path: string, acceptsBrotli = false) => {
  const answer = files.find(path, acceptsBrotli);
  return answer === null ? null : new TextDecoder().decode(answer.body);
};

test.each([
  ['/', 'the console'],
  ['/devices/7', 'the console'],
  ['/account/delete', 'the deletion'],
  ['/icon.svg', '<svg/>'],
  ['/assets/app-1a2b.js', 'plain'],
  ['/settings.json', JSON.stringify({ hostPages: HOST_PAGES })],
  ['/nowhere', null],
  ['/index.html', null],
  ['/account-delete.html', null],
  ['/built-from', null],
  ['/assets/app-1a2b.js.br', null],
  ['/assets/../index.html', null],
])('the content of %s is %j', (path, text) => {
  expect(textOf(path)).toBe(text);
});

test('a compressed copy is sent if it is accepted', () => {
  expect(textOf('/assets/app-1a2b.js', true)).toBe('compressed');
  expect(files.find('/assets/app-1a2b.js', true)?.headers).toMatchObject({
    'Content-Encoding': 'br',
    Vary: 'Accept-Encoding',
  });
  expect(files.find('/', true)?.headers).not.toHaveProperty('Content-Encoding');
});

test('assets are cached forever, pages are not', () => {
  expect(files.find('/assets/app-1a2b.js', false)?.headers['Cache-Control']).toMatch(/immutable/);
  expect(files.find('/', false)?.headers['Cache-Control']).toBe('no-cache');
  expect(files.find('/icon.svg', false)?.headers['Cache-Control']).toBe('no-cache');
});

test('pages name their files below the path of the public URL', async () => {
  await writeFile(join(dir, 'index.html'), '<script src="./assets/app-1a2b.js"></script><a href="./">');
  const below = await openConsoleFiles(dir, { hostPages: HOST_PAGES, basePath: '/fleet' });
  expect(new TextDecoder().decode(below.find('/devices/7', false)?.body)).toBe(
    '<script src="/fleet/assets/app-1a2b.js"></script><a href="/fleet/">',
  );
  await writeFile(join(dir, 'index.html'), 'the console');
});

test('a directory without a console is named in the error', async () => {
  await expect(
    openConsoleFiles(join(dir, 'assets'), { hostPages: HOST_PAGES, basePath: '' }),
  ).rejects.toThrow(/index\.html is missing/);
});

describe('over HTTP', () => {
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fakeHttp({ findPages: () => files }).app.request(path, { method, headers });
  const HTML = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

  test('a place is a page with a strict policy and the headers of every answer', async () => {
    const response = await get('/devices');
    expect([response.status, await response.text()]).toStrictEqual([200, 'the console']);
    expect(response.headers.get('Content-Security-Policy')).toBe(CONSOLE_POLICY);
    expect(CONSOLE_POLICY).not.toMatch(/unsafe|\*|https?:/);
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(response.headers.get('X-Request-Id')).toMatch(/.+/);
  });

  test('HEAD has the same headers and no body', async () => {
    const response = await get('/devices', {}, 'HEAD');
    expect([response.status, await response.text()]).toStrictEqual([200, '']);
  });

  test('an unknown address is a page with status 404 for people, and a problem for programs', async () => {
    const page = await get('/nowhere', HTML);
    expect([page.status, page.headers.get('Content-Type')]).toStrictEqual([404, 'text/html; charset=utf-8']);
    for (const response of [await get('/nowhere'), await get('/api/v1/nowhere', HTML)]) {
      expect([response.status, response.headers.get('Content-Type')]).toStrictEqual([
        404,
        'application/problem+json',
      ]);
    }
  });

  test('a page answers other methods with 404', async () => {
    expect((await get('/devices', HTML, 'POST')).status).toBe(404);
  });

  test('without a console, its places are unknown addresses', async () => {
    expect((await fakeHttp().app.request('/devices', { headers: HTML })).status).toBe(404);
  });
});
