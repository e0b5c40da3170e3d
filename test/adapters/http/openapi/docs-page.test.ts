/** The page of the API has every route, loads nothing, and escapes its texts. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { html, prose } from '#adapters/http/docs/html.ts';
import { OPERATIONS } from '#adapters/http/openapi/all-operations.ts';
import { fakeHttp } from '#test/support/http/http-fakes.ts';

const answer = await fakeHttp().app.request('/docs');
const page = await answer.text();
const policy = answer.headers.get('content-security-policy') ?? '';

test('the page needs no credential and has the headers of every answer', () => {
  expect([answer.status, answer.headers.get('content-type')]).toStrictEqual([
    200,
    'text/html; charset=utf-8',
  ]);
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer.headers.get('x-request-id')).not.toBeNull();
});

test('the page has every route with its summary, and a link to each', () => {
  for (const [route, { id, summary }] of Object.entries(OPERATIONS)) {
    const [method, path = ''] = route.split(' ');
    expect(page).toContain(
      `<span class="method">${method}</span> <code>${path.replace(/:(\w+)/g, '{$1}')}</code>`,
    );
    expect(page).toContain(`id="${id}"`);
    expect(page).toContain(`<a href="#${id}">${html`${summary}`.text}</a>`);
  }
});

test('every link within the page has a target', () => {
  const [body = ''] = page.split('<script>');
  const ids = new Set([...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  const targets = new Set([...body.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id));
  expect(targets.size).toBeGreaterThan(Object.keys(OPERATIONS).length);
  expect([...targets.difference(ids)]).toStrictEqual([]);
});

test("the page's policy allows its one style and its one script, and nothing else", () => {
  const digest = (element: string) => {
    const [, text = ''] = new RegExp(`<${element}>([\\s\\S]*?)</${element}>`).exec(page) ?? [];
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  };
  expect(policy.split('; ')).toStrictEqual([
    "default-src 'none'",
    `script-src ${digest('script')}`,
    `style-src ${digest('style')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]);
  expect(page.match(/<(?:script|style|link|img|iframe)\b/g)).toStrictEqual(['<style', '<script']);
  expect(page).not.toMatch(/\s(?:src|style|on\w+)=/);
});

describe('a text', () => {
  test('is escaped when it is inserted', () => {
    expect(html`<b>${`<script>"&'`}</b>`.text).toBe('<b>&#60;script&#62;&#34;&#38;&#39;</b>');
  });

  test('is shown with its paragraphs and its code', () => {
    expect(prose('One `a<b`.\n\nTwo.').text).toBe('<p>One <code>a&#60;b</code>.</p><p>Two.</p>');
  });
});
