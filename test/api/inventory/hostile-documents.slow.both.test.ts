/** Documents that no agent sends are refused in the agent's protocol and store nothing. */
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, TestService } from '#test/api/service/service.ts';
import {
  addReporter,
  devicesOf,
  PLAIN,
  type Reporter,
  realInventory,
  recorded,
  startAgentService,
  type Wire,
  ZLIB,
} from './agents.ts';

const MIB = 1_048_576;

let service: TestService;
let reporter: Reporter;

beforeAll(async () => {
  service = await startAgentService();
  reporter = await addReporter(service);
});
afterAll(() => service.close());

/** Expects a refusal that agents can read, with nothing stored or audited. Returns its message. */
async function expectRefused(sent: () => Promise<Answer>, ...statuses: readonly number[]): Promise<string> {
  const before = (await service.probe.auditEntries()).length;
  const { status, body, text } = await sent();
  expect(statuses, text).toContain(status);
  expect(body).toStrictEqual({ status: 'error', message: expect.stringMatching(/\S/) });
  expect(await devicesOf(service, reporter)).toStrictEqual([]);
  expect(await service.probe.auditEntries()).toHaveLength(before);
  return (body as { message: string }).message;
}

const raw = (bytes: Uint8Array, contentType = ZLIB.contentType): Partial<Wire> => ({
  contentType,
  encode: () => new Uint8Array(bytes),
});

describe('bombs', () => {
  /** So many equal bytes. */
  const zeros = (bytes: number) => Buffer.alloc(bytes, ' ');
  const gzip = 'application/x-compress-gzip';

  test.each<[string, () => Partial<Wire>]>([
    ['zlib of 32 MiB and a byte', () => raw(deflateSync(zeros(32 * MIB + 1)))],
    ['gzip of 512 MiB', () => raw(gzipSync(zeros(512 * MIB)), gzip)],
    [
      'gzip of many members',
      () => raw(Buffer.concat(Array.from({ length: 40 }, () => gzipSync(zeros(MIB)))), gzip),
    ],
    ['plain text of 32 MiB and a byte', () => raw(zeros(32 * MIB + 1), PLAIN.contentType)],
  ])('%s is refused as too large', async (_, wire) => {
    const message = await expectRefused(() => reporter.report('', wire()), 413);
    expect(message).toContain('32 MiB');
  });

  test('32 MiB of blanks are refused as no inventory', async () => {
    await expectRefused(() => reporter.report('', raw(deflateSync(zeros(32 * MIB)))), 400);
  });

  test.each<[string, string]>([
    ['lists in lists', '['.repeat(400_000)],
    ['more lists in lists', '['.repeat(2_000_000)],
    ['closed lists in lists', `{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`],
    ['objects in objects', '{"content":'.repeat(200_000)],
    ['a number without an end', `{"deviceid":${'9'.repeat(4 * MIB)}`],
  ])('a document with %s is refused', async (_, text) => {
    await expectRefused(() => reporter.report(text), 400);
  });

  test('a list that is too long is refused by name', async () => {
    const inventory = realInventory();
    inventory.content.softwares = Array.from({ length: 20_001 }, (_, i) => ({ name: `p${i}` }));
    const message = await expectRefused(() => reporter.report(inventory), 400);
    expect(message).toBe('content.softwares must have at most 20,000 entries; it has 20,001');
  });

  test('a document with a fault in each of 20,000 entries is refused', async () => {
    const inventory = realInventory();
    inventory.content.softwares = Array.from({ length: 20_000 }, () => ({
      name: [],
      a: {},
      b: 'x'.repeat(500),
    }));
    await expectRefused(() => reporter.report(inventory), 400);
  });
});

describe('XML', () => {
  const request = (inside: string) => `<?xml version="1.0"?><REQUEST>${inside}</REQUEST>`;
  const prolog = '<DEVICEID>a</DEVICEID><QUERY>PROLOG</QUERY>';

  test.each<[string, string]>([
    ['an entity definition', `<!DOCTYPE r [<!ENTITY q "PROLOG">]>${request('<QUERY>&q;</QUERY>')}`],
    [
      'an entity for a file',
      `<!DOCTYPE r [<!ENTITY f SYSTEM "file:///etc/passwd">]>${request('<DEVICEID>&f;</DEVICEID>')}`,
    ],
    [
      'a billion laughs',
      `<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;">]>${request('&c;')}`,
    ],
    ['a parameter entity', `<!DOCTYPE r [<!ENTITY % p SYSTEM "http://127.0.0.1:1/">%p;]>${request(prolog)}`],
    ['a document type declaration', `<!doctype html>${request(prolog)}`],
    ['CDATA', request('<DEVICEID>a</DEVICEID><QUERY><![CDATA[PROLOG]]></QUERY>')],
    ['no query', request('<DEVICEID>a</DEVICEID>')],
    ['no device', request('<QUERY>PROLOG</QUERY>')],
    ['an empty device', request('<DEVICEID> </DEVICEID><QUERY>PROLOG</QUERY>')],
    ['two devices', request(`<DEVICEID>b</DEVICEID>${prolog}`)],
    ['two requests', `<A>${request(prolog)}${request(prolog)}</A>`],
    ['nested queries', request('<DEVICEID>a</DEVICEID><QUERY><QUERY>PROLOG</QUERY></QUERY>')],
    ['many open levels', '<a>'.repeat(5_000)],
    ['many closed levels', `${'<a>'.repeat(2_000)}${'</a>'.repeat(2_000)}`],
    ['half of a prolog', recorded('prolog.xml').slice(0, 90)],
    ['a prototype', request(`<__proto__><QUERY>PROLOG</QUERY></__proto__>`)],
    ['more text than a prolog can have', request(`${prolog}<TOKEN>${'x'.repeat(20_000)}</TOKEN>`)],
  ])('with %s is refused', async (_, text) => {
    await expectRefused(() => reporter.report(text), 400);
  });

  test.each(['INVENTORY', 'SNMP', 'NETDISCOVERY', 'prolog'])(
    'with the query %s is refused by name',
    async (query) => {
      const text = request(`<DEVICEID>a</DEVICEID><QUERY>${query}</QUERY><CONTENT/>`);
      const message = await expectRefused(() => reporter.report(text), 400);
      expect(message).toContain(`"${query}"`);
    },
  );

  test('with a predefined entity in a text is accepted', async () => {
    const answer = await reporter.report(request('<DEVICEID>a&amp;b</DEVICEID><QUERY>PROLOG</QUERY>'));
    expect(answer.status).toBe(200);
  });
});

describe('codings', () => {
  const text = JSON.stringify(realInventory());
  const deflated = deflateSync(text);

  test.each<[string, Partial<Wire>]>([
    ['an empty body', raw(Buffer.alloc(0))],
    ['plain text as zlib', raw(Buffer.from(text))],
    ['gzip as zlib', raw(gzipSync(text))],
    ['zlib as gzip', raw(deflated, 'application/x-compress-gzip')],
    ['deflate without a header', raw(deflateRawSync(text))],
    ['zlib as JSON', raw(deflated, 'application/json')],
    ['half of zlib', raw(deflated.subarray(0, deflated.length / 2))],
    ['zlib without its checksum', raw(deflated.subarray(0, -4))],
    ['zlib with another checksum', raw(Buffer.concat([deflated.subarray(0, -1), Buffer.of(0x5a)]))],
    ['UTF-16', raw(deflateSync(Buffer.from(text, 'utf16le')))],
    ['Latin 1', raw(deflateSync(Buffer.from(text.replace('glpixps', 'glpixpé'), 'latin1')))],
    ['zlib in zlib', raw(deflateSync(deflated))],
  ])('%s is refused', async (_, wire) => {
    await expectRefused(() => reporter.report('', wire), 400);
  });

  test.each<[string, Partial<Wire>]>([
    ['the type text/plain', { contentType: 'text/plain' }],
    ['the type of a form', { contentType: 'application/x-www-form-urlencoded' }],
    ['no type', { contentType: '' }],
    ['the type __proto__', { contentType: '__proto__' }],
    ['a Content-Encoding', { ...ZLIB, headers: { 'Content-Encoding': 'gzip' } }],
  ])('a document with %s is refused with 415', async (_, wire) => {
    await expectRefused(() => reporter.report(text, wire), 415);
  });
});

describe('JSON', () => {
  const text = JSON.stringify(realInventory());

  test.each<[string, string]>([
    ['a blank document', ' '],
    ['null', 'null'],
    ['a number', '1'],
    ['a text', '"inventory"'],
    ['a list', '[]'],
    ['an object without members', '{}'],
    ['an unknown action', '{"action":"format_disk","deviceid":"a"}'],
    ['get_params', '{"action":"get_params","deviceid":"a","params_id":1}'],
    ['a prototype', '{"__proto__":{"action":"contact","deviceid":"a"}}'],
    ['a pair of documents', `${text}${text}`],
    ['a comment', `// a\n${text}`],
    ['a NUL in the deviceid', text.replace('glpixps-2018', 'glpi\\u0000-2018')],
    ['an unpaired surrogate in the name', text.replace('"name":"glpixps"', '"name":"\\ud800"')],
    ['a blank deviceid', text.replace(/"deviceid":"[^"]*"/, '"deviceid":"  "')],
    ['an unknown itemtype', text.replace('"action"', '"itemtype":"Toaster","action"')],
  ])('%s is refused', async (_, document) => {
    await expectRefused(() => reporter.report(document), 400);
  });

  test('that ends anywhere is refused', async () => {
    for (let i = 1; i <= 40; i++) {
      const end = Math.floor((text.length * i) / 41);
      await expectRefused(() => reporter.report(text.slice(0, end)), 400);
    }
  });

  /** Each member gets values of every type but its own. */
  test('with a wrong type in any member of the document is refused', async () => {
    for (const member of ['deviceid', 'content', 'itemtype', 'partial', 'tag'] as const) {
      for (const wrong of WRONG) {
        if (Array.isArray(wrong) === false && isRight(member, wrong)) continue;
        await expectRefused(() => reporter.report({ ...realInventory(), [member]: wrong }), 400);
      }
    }
  });

  test('with a wrong type in any member of the content is refused', async () => {
    const { content } = realInventory();
    for (const member of Object.keys(content)) {
      for (const wrong of [1, 'text', true, null, [1], [[]], [null], ['text']]) {
        if (!isListOrObject(content[member]) && typeof wrong === typeof content[member]) continue;
        const document = { ...realInventory(), content: { ...content, [member]: wrong } };
        await expectRefused(() => reporter.report(document), 400);
      }
    }
  });

  test.each(['deviceid', 'installed-tasks', 'enabled-tasks'])(
    'with a wrong %s in a contact is refused',
    async (member) => {
      const contact = JSON.parse(recorded('contact.json'));
      for (const wrong of [
        1,
        true,
        null,
        {},
        [1],
        [['inventory']],
        '',
        Array.from({ length: 101 }, () => 'a'),
      ]) {
        await expectRefused(() => reporter.report({ ...contact, [member]: wrong }), 400);
      }
    },
  );
});

const WRONG = [1, 'text', true, null, {}, [], ['text'], [{}]];

function isRight(member: 'deviceid' | 'content' | 'itemtype' | 'partial' | 'tag', value: unknown): boolean {
  if (member === 'partial') return typeof value === 'boolean';
  if (member === 'content') return false;
  return typeof value === 'string' && member !== 'itemtype';
}

function isListOrObject(value: unknown): boolean {
  return typeof value === 'object';
}

test('an honest agent is still served after all hostile documents', async () => {
  expect((await reporter.report(realInventory())).body).toStrictEqual({ status: 'ok' });
  expect(await devicesOf(service, reporter)).toHaveLength(1);
});
