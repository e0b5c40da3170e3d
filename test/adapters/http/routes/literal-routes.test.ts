/** Routes are found as Hono finds them, the first time and when they are remembered. */
import { TrieRouter } from 'hono/router/trie-router';
import { expect, test } from 'vitest';
import { LiteralRoutesFirst } from '#adapters/http/literal-routes.ts';

const ROUTES: readonly (readonly [method: string, path: string, name: string])[] = [
  ['ALL', '/*', 'observe'],
  ['POST', '/filters/preview', 'preview'],
  ['ALL', '/filters/preview', 'not allowed'],
  ['GET', '/filters/:id', 'read'],
  ['PATCH', '/filters/:id', 'change'],
  ['GET', '/files/:name{.+\\.js}', 'script'],
];

const ASKED: readonly (readonly [method: string, path: string])[] = [
  ['POST', '/filters/preview'],
  ['GET', '/filters/preview'],
  ['GET', '/filters/1'],
  ['GET', '/filters/2'],
  ['PATCH', '/filters/1'],
  ['GET', '/filters/:id'],
  ['GET', '/files/a.js'],
  ['GET', '/nothing'],
];

test.each(ASKED)('%s %s', (method, path) => {
  const [own, other] = [new LiteralRoutesFirst<string>(), new TrieRouter<string>()];
  for (const route of ROUTES) for (const router of [own, other]) router.add(...route);
  for (let i = 0; i < 3; i++) expect(own.match(method, path)).toStrictEqual(other.match(method, path));
});

test('a route that is added later is found', () => {
  const router = new LiteralRoutesFirst<string>();
  router.add('GET', '/a', 'first');
  router.match('GET', '/a');
  router.add('GET', '/a', 'second');
  expect(router.match('GET', '/a')[0]).toHaveLength(2);
});
