/** Valid bodies with random edits do not break the service. */
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { FILTERS, PREVIEW, startService, type TestService } from '#test/api/service/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** The process survives every test. */
afterEach(async () => {
  expect((await service.composition.app.request('/healthz')).status).toBe(200);
});

const ODD: readonly string[] = [
  'null',
  'true',
  '-1',
  '1e999',
  '9007199254740993',
  '0.1',
  '""',
  '"\\u0000"',
  '"\\ud800"',
  '"__proto__"',
  '[]',
  '{}',
  '[[[[]]]]',
  '{"__proto__":{}}',
  '["a",null]',
  '{"from":1}',
  '{"amount":1e999,"unit":"days"}',
  '"AND"',
  '"OR"',
  '"("',
  '"2026-02-30"',
  '"now"',
  'nonsense',
  '{"operator":"AND","conditions":[]}',
  '"🦊"',
  '"%_\\\\"',
  '"\');--"',
];
const SEEDS: readonly string[] = [
  '{"name":"n","description":"d","limit":5,"conditions":{"operator":"AND","conditions":[{"field":"hostname","operator":"in","value":["a","b"]},{"operator":"OR","conditions":[{"field":"uptimeSeconds","operator":"between","value":{"from":1,"to":2}},{"field":"tags","operator":"isEmpty"}]}]}}',
  '{"name":"n","conditions":{"operator":"OR","conditions":[{"field":"lastSeenAt","operator":"withinLast","value":{"amount":3,"unit":"days"}},{"field":"hostname","operator":"matches","value":"^a.*z$"},{"field":"custom.of_a","operator":"equals","value":"x"}]}}',
  '{"limit":1,"name":"n","conditions":{"operator":"AND","conditions":[{"field":"status","operator":"equals","value":"online"},{"field":"software.installed","operator":"hasAll","value":["a"]},{"field":"orgId","operator":"equals","value":"0198f0c0-0000-7000-8000-000000000000"}]}}',
];
/** The tokens that an edit replaces, doubles or drops: strings, integers and punctuation. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+|[{}[\],:]/g;
const edit = fc.record({
  at: fc.nat(),
  how: fc.constantFrom('replace', 'replace', 'replace', 'drop', 'double', 'text'),
  odd: fc.constantFrom(...ODD),
  text: fc.string({ unit: 'binary', maxLength: 12 }),
});
const bodies = fc
  .tuple(fc.constantFrom(...SEEDS), fc.array(edit, { minLength: 1, maxLength: 3 }))
  .map(([seed, edits]) => {
    let tokens: readonly string[] = seed.match(TOKEN) ?? [];
    for (const { at, how, odd, text } of edits) {
      const i = at % tokens.length;
      const token = tokens[i] ?? '';
      const put = { replace: [odd], drop: [], double: [token, token], text: [JSON.stringify(text)] }[how];
      tokens = [...tokens.slice(0, i), ...put, ...tokens.slice(i + 1)];
    }
    return tokens.join('');
  });

/** A few hundred bodies include everything that PostgreSQL could choke on. */
const BODIES = { memory: 3_000, postgres: 600 }[inject('backend')];

test(`${BODIES} broken bodies: none breaks the service, and each refusal says what and where`, async () => {
  const credential = await service.credentialOf('A-user');
  await fc.assert(
    fc.asyncProperty(
      bodies,
      fc.constantFrom(['POST', PREVIEW], ['POST', FILTERS], ['PATCH', ''] as const),
      async (body, [method, path]) => {
        const response = await service.composition.app.request(
          path || `${FILTERS}/${service.tenants.filters.A.id}`,
          {
            method,
            body,
            headers: { ...credential, 'Content-Type': 'application/json' },
          },
        );
        expect(response.status).toBeLessThan(500);
        if (response.status < 400) return;
        expect(response.headers.get('content-type')).toBe('application/problem+json');
        const problem = (await response.json()) as Record<string, unknown>;
        expect(problem).toMatchObject({
          status: response.status,
          code: expect.stringMatching(/^[a-z_]+$/),
          detail: expect.stringMatching(/./),
        });
        if (problem.code !== 'validation_failed') return;
        const errors = problem.errors as readonly unknown[];
        expect(errors.length).toBeGreaterThan(0);
        for (const error of errors) {
          expect(error).toStrictEqual({
            path: expect.any(String),
            code: expect.stringMatching(/^[a-z_]+$/),
            message: expect.stringMatching(/./),
          });
        }
      },
    ),
    { numRuns: BODIES },
  );
});
