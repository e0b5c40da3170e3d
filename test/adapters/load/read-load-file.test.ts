import { describe, expect, test } from 'vitest';
import { FaultList, LoadFileError } from '#adapters/load/fault-list.ts';
import { ByteWindow, MAX_RECORD_BYTES } from '#adapters/load/json/byte-window.ts';
import { readDocument } from '#adapters/load/json/read-document.ts';
import { readNdjson } from '#adapters/load/json/read-ndjson.ts';
import { detectFormat, readLoadFile } from '#adapters/load/read-load-file.ts';
import { DEVICE, FLEET, PARTNER, toNdjson } from './fleet.ts';
import { faultsOf, readAll, readText, withFile } from './load-text.ts';

const PRETTY = JSON.stringify(FLEET, null, 2);
const SINGLE_LINE = JSON.stringify(FLEET);
const NDJSON = toNdjson(FLEET);

async function recordsOf(content: string | Uint8Array) {
  const { records, faults } = await readText(content);
  expect(faults).toStrictEqual([]);
  return records.map(({ record }) => record);
}

async function placesOf(content: string) {
  return (await readText(content)).records.map(({ line, member }) => `${line} ${member}`);
}

describe('the two forms', () => {
  test('hold the same records, whether the document is pretty or on one line', async () => {
    const records = await recordsOf(PRETTY);
    expect(records.map(({ kind }) => kind)).toStrictEqual([
      'partner',
      'organization',
      'site',
      'user',
      'apiKey',
      'customField',
      'device',
      'device',
      'script',
      'alert',
      'filter',
    ]);
    expect(await recordsOf(SINGLE_LINE)).toStrictEqual(records);
    expect(await recordsOf(NDJSON)).toStrictEqual(records);
  });

  test.each([
    ['a line break at the end of the document', `${PRETTY}\n`],
    ['line breaks of Windows', PRETTY.replaceAll('\n', '\r\n')],
    ['line breaks of Windows in NDJSON', NDJSON.replaceAll('\n', '\r\n')],
    ['white space all around', ` \n\t${PRETTY}\r\n `],
    ['a byte order mark', `\uFEFF${PRETTY}`],
    ['a byte order mark before NDJSON', `\uFEFF${NDJSON}`],
    ['no line break after the last line', NDJSON.trimEnd()],
    ['blank lines', `\n \n${NDJSON.replaceAll('\n', '\n\n\t\n')}`],
    ['a kind that comes last', NDJSON.replaceAll(/^\{"kind":"(\w+)",(.*)\}$/gm, '{$2,"kind":"$1"}')],
    [
      'a kind in the records of the document',
      PRETTY.replace('"partners": [\n    {', '"partners": [\n{"kind":"partner",'),
    ],
  ])('are read with %s', async (_, content) => {
    expect(await recordsOf(content)).toStrictEqual(await recordsOf(SINGLE_LINE));
  });

  test.each([['{}'], [' { } \n'], ['{"devices":[]}'], ['{"devices": null}'], ['{"devices":[ \n ]}']])(
    'the document %j holds no record',
    async (content) => {
      expect(await readText(content)).toStrictEqual({ records: [], faults: [] });
    },
  );

  test('a record of NDJSON has the number of its line', async () => {
    expect(await placesOf(`\n${NDJSON}`)).toStrictEqual([
      '2 partner',
      '3 organization',
      '4 site',
      '5 user',
      '6 apiKey',
      '7 customField',
      '8 device',
      '9 device',
      '10 script',
      '11 alert',
      '12 filter',
    ]);
  });

  test('a record of a document has the number of the line on which it begins', async () => {
    const lineOf = (text: string) => PRETTY.slice(0, PRETTY.indexOf(text)).split('\n').length;
    const places = await placesOf(PRETTY);
    expect(places.slice(0, 2)).toStrictEqual(['3 partners[0]', '9 organizations[0]']);
    expect(places[6]).toBe(`${lineOf('"devices"') + 1} devices[0]`);
    expect(places[7]).toBe(`${lineOf('"siteId"') - 5} devices[1]`);
    expect(places.at(-1)).toBe(`${lineOf('"filters"') + 1} filters[0]`);
  });
});

describe('faults of records', () => {
  const bad = (n: number) => ({ ...DEVICE, id: `bad-${n}` });

  test('name line and member in NDJSON', async () => {
    const ndjson = toNdjson({ partners: [PARTNER], devices: [{ ...DEVICE, hardware: { cpuCores: '4' } }] });
    expect(await faultsOf(ndjson)).toStrictEqual([
      { line: 2, member: 'device.hardware.cpuCores', message: 'must be a number, not a string' },
    ]);
  });

  test('name line and member in a document', async () => {
    const document = JSON.stringify(
      { devices: [DEVICE, { ...DEVICE, hardware: { cpuCores: '4' } }] },
      null,
      1,
    );
    expect(await faultsOf(document)).toStrictEqual([
      { line: 9, member: 'devices[1].hardware.cpuCores', message: 'must be a number, not a string' },
    ]);
  });

  test.each([
    ['a document', JSON.stringify({ devices: [DEVICE, bad(1), DEVICE, bad(2)] })],
    ['NDJSON', toNdjson({ devices: [DEVICE, bad(1), DEVICE, bad(2)] })],
  ])('end the records of %s, but not the search for more faults', async (_, content) => {
    const { records, faults } = await readText(content);
    expect(records).toHaveLength(1);
    expect(faults.map(({ message }) => message)).toStrictEqual(['must be a UUID', 'must be a UUID']);
  });

  test.each([
    ['a document', JSON.stringify({ devices: Array.from({ length: 200 }, (_, n) => bad(n)) })],
    ['NDJSON', toNdjson({ devices: Array.from({ length: 200 }, (_, n) => bad(n)) })],
  ])('are listed up to the hundredth in %s', async (_, content) => {
    expect(await faultsOf(content)).toHaveLength(100);
  });

  test('are in the message of the error, too', async () => {
    await withFile(toNdjson({ devices: [bad(1)] }), async (path) => {
      await expect(readLoadFile(path).next()).rejects.toThrow(
        new LoadFileError([{ line: 1, member: 'device.id', message: 'must be a UUID' }]),
      );
    });
  });

  test.each([
    ['[]', 'record', 'must be an object, not an array'],
    ['12', 'record', 'must be an object, not a number'],
    ['{}', 'record.kind', 'is required'],
    [
      '{"kind":"devices"}',
      'record.kind',
      'must be one of partner, organization, site, user, apiKey, enrolmentKey, customField, device, script, alert, filter, deletionRequest, auditEntry; did you mean "device"?',
    ],
    [
      '{"kind":null}',
      'record.kind',
      'must be one of partner, organization, site, user, apiKey, enrolmentKey, customField, device, script, alert, filter, deletionRequest, auditEntry',
    ],
    [
      '{"kind":"toString"}',
      'record.kind',
      'must be one of partner, organization, site, user, apiKey, enrolmentKey, customField, device, script, alert, filter, deletionRequest, auditEntry',
    ],
  ])('are found in the line %s', async (line, member, message) => {
    expect(await faultsOf(`${toNdjson({ partners: [PARTNER] })}${line}\n`)).toStrictEqual([
      { line: 2, member, message },
    ]);
  });

  test.each([
    ['12', 'a number'],
    ['null', 'null'],
    ['"a"', 'a string'],
    ['[]', 'an array'],
    ['true', 'true'],
  ])('are found in the element %s', async (element, kind) => {
    const message = `must be an object, not ${kind}`;
    expect(await faultsOf(`{"partners":[${element}],"devices":[ ${element} ]}`)).toStrictEqual([
      { line: 1, member: 'partners[0]', message },
      { line: 1, member: 'devices[0]', message },
    ]);
  });
});

describe('faults of a document', () => {
  test.each([
    [
      'an unknown member',
      '{\n"devises": [{"id": 1}, 2], "partners": []}',
      2,
      'devises',
      'is not a known member; did you mean "devices"?',
    ],
    [
      'an unknown member that is no array',
      '{"version": {"a": [1]}, "partners": []}',
      1,
      'version',
      'is not a known member; known members are partners, organizations, sites, users, apiKeys, enrolmentKeys, customFields, devices, scripts, alerts, filters, deletionRequests, auditEntries',
    ],
    [
      'a member in the singular',
      '{"device": []}',
      1,
      'device',
      'is not a known member; did you mean "devices"?',
    ],
    ['a member twice', '{"sites": [],\n"sites": []}', 2, 'sites', 'appears twice'],
    ['an object instead of an array', '{"sites": {}}', 1, 'sites', 'must be an array, not an object'],
    ['a text instead of an array', '{\n"sites":\n"a"}', 3, 'sites', 'must be an array, not a string'],
    ['an empty file', '', 1, 'file', 'is empty'],
    ['a blank file', ' \n\n', 3, 'file', 'is empty'],
    [
      'an array instead of a document',
      '[]',
      1,
      'file',
      'must be one JSON object, or NDJSON with one JSON object per line',
    ],
    [
      'a text instead of a document',
      'id,name\n',
      1,
      'file',
      'must be one JSON object, or NDJSON with one JSON object per line',
    ],
    ['a second document', '{}\n\n[]', 3, 'file', 'continues after the end of the document'],
    ['no name', '{\n1}', 2, 'file', 'is not valid JSON: expected the name of a member'],
    ['a comma too many', '{"sites": [],}', 1, 'file', 'is not valid JSON: expected the name of a member'],
    ['no colon', '{"sites" []}', 1, 'file', 'is not valid JSON: expected ":"'],
    [
      'no comma between members',
      '{"sites": [] "users": []}',
      1,
      'file',
      'is not valid JSON: expected "," or "}"',
    ],
    ['a bracket of the other kind', '{"sites": []]', 1, 'file', 'is not valid JSON: expected "," or "}"'],
    ['a name with a bad escape', '{"a\\q": []}', 1, 'file', 'is not valid JSON at character 3'],
    ['a value that is not JSON', '{"sites": nil}', 1, 'sites', 'is not valid JSON at character 1'],
    ['nothing after the brace', '{', 1, 'file', 'ends before the document is complete'],
    ['a cut in a name', '{"sit', 1, 'file', 'ends before the document is complete'],
    ['a cut after a name', '{"sites"', 1, 'file', 'is not valid JSON: expected ":"'],
    ['a cut after a colon', '{"sites":', 1, 'file', 'ends before the document is complete'],
    ['a cut in an array', '{"sites": [\n', 2, 'file', 'ends before the document is complete'],
    ['a cut in an element', '{"sites":\n[{"id": "', 2, 'file', 'ends before the document is complete'],
    ['a cut after an array', '{"sites": []', 1, 'file', 'ends before the document is complete'],
  ])('%s', async (_, content, line, member, message) => {
    expect(await faultsOf(content)).toStrictEqual([{ line, member, message }]);
  });

  test('an inventory is recognized', async () => {
    expect(await faultsOf('{"deviceid": "a", "content": {}, "action": "inventory"}')).toStrictEqual([
      {
        line: 1,
        member: 'deviceid',
        message: 'is not a known member; this looks like an inventory, so use import instead of load',
      },
      {
        line: 1,
        member: 'content',
        message: 'is not a known member; this looks like an inventory, so use import instead of load',
      },
      {
        line: 1,
        member: 'action',
        message:
          'is not a known member; known members are partners, organizations, sites, users, apiKeys, enrolmentKeys, customFields, devices, scripts, alerts, filters, deletionRequests, auditEntries',
      },
    ]);
  });

  test.each([
    ['[,]', 1, 'sites[0]', 1],
    ['[{"id": oops}]', 1, 'sites[0]', 8],
    ['[{"id": 1 "name": 2}]', 1, 'sites[0]', 10],
    ['[{"id": [1}]', 1, 'sites[0]', 10],
    ['[\n{\n  "id": 1,\n  "name" 2\n}]', 4, 'sites[0]', 10],
    ['[{"name": "a\nb"}]', 1, 'sites[0]', 12],
    ['[{"name": "a\tb"}]', 1, 'sites[0]', 12],
    ['[01]', 1, 'sites[0]', 2],
  ])('an element with invalid JSON: %j', async (sites, line, member, character) => {
    expect(await faultsOf(`{"partners": [1], "sites": ${sites}}`)).toStrictEqual([
      { line: 1, member: 'partners[0]', message: 'must be an object, not a number' },
      { line, member, message: `is not valid JSON at character ${character}` },
    ]);
  });
});

describe('faults of NDJSON', () => {
  const first = toNdjson({ partners: [PARTNER] });

  test.each([
    ['a line that is not JSON', 'oops', 1],
    ['a line that is cut off', '{"kind": "device", "id": "', 27],
    ['two records on one line', '{"kind":"site"}{"kind":"site"}', 16],
    ['a comma after a record', '{"kind":"site"},', 16],
  ])('%s ends the reading', async (_, line, character) => {
    expect(await faultsOf(`${first}{}\n${line}\n{}\n`)).toStrictEqual([
      { line: 2, member: 'record.kind', message: 'is required' },
      { line: 3, member: 'record', message: `is not valid JSON at character ${character}` },
    ]);
  });

  test('lines that all lack a kind are read as NDJSON', async () => {
    expect(await faultsOf('{"id": 1}\n{"id": 2}\n')).toStrictEqual([
      { line: 1, member: 'record.kind', message: 'is required' },
      { line: 2, member: 'record.kind', message: 'is required' },
    ]);
  });
});

describe('bytes', () => {
  const invalid = Buffer.from([0x22, 0xc3, 0x28, 0x22]);

  test.each([
    [
      'a document',
      Buffer.concat([Buffer.from('{"partners": [\n\n{"name": '), invalid, Buffer.from('}]}')]),
      3,
    ],
    ['NDJSON', Buffer.concat([Buffer.from('{"kind": "site"}\n{"kind": '), invalid, Buffer.from('}\n')]), 2],
    ['a file that ends inside a character', Buffer.from('{"name": "é').subarray(0, -1), 1],
  ])('that are not UTF-8 are refused: %s', async (_, content, line) => {
    const faults = await faultsOf(content);
    expect(faults.at(-1)).toStrictEqual({ line, member: 'file', message: 'is not valid UTF-8' });
  });

  test.each([
    ['UTF-16 of one order', Buffer.from('\uFEFF{}', 'utf16le'), 'is UTF-16; it must be UTF-8'],
    ['UTF-16 of the other', Buffer.from('\uFEFF{}', 'utf16le').swap16(), 'is UTF-16; it must be UTF-8'],
    ['gzip', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0]), 'is gzip-compressed; decompress it first'],
  ])('of %s are recognized', async (_, content, message) => {
    expect(await faultsOf(content)).toStrictEqual([{ line: 1, member: 'file', message }]);
  });

  test('that escape half of a surrogate pair are refused', async () => {
    expect(await faultsOf(JSON.stringify({ partners: [{ ...PARTNER, name: '\ud83d' }] }))).toStrictEqual([
      { line: 1, member: 'partners[0].name', message: 'must not contain an unpaired surrogate' },
    ]);
  });

  async function* chunksOf(text: string, size: number) {
    const bytes = Buffer.from(text);
    for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
  }

  test.each([1, 2, 3, 5, 7, 64])('may come %d at a time', async (size) => {
    for (const [content, read] of [
      [PRETTY, readDocument],
      [NDJSON, readNdjson],
    ] as const) {
      const faults = new FaultList();
      const window = new ByteWindow(chunksOf(content, size), faults);
      expect(await detectFormat(window)).toBe(read === readDocument ? 'document' : 'ndjson');
      const inChunks = await readAll(read(window, faults));
      expect(inChunks).toStrictEqual(await readText(content));
      expect(inChunks.records).toHaveLength(11);
    }
  });
});

describe('a file that cannot be read', () => {
  test('is reported as missing', async () => {
    await withFile('', async (path) => {
      expect((await readAll(readLoadFile(`${path}.json`))).faults).toStrictEqual([
        { line: 1, member: 'file', message: 'cannot be read: no such file' },
      ]);
      expect((await readAll(readLoadFile(`${path}/x`))).faults).toStrictEqual([
        { line: 1, member: 'file', message: 'cannot be read: no such file' },
      ]);
    });
  });

  test('is reported as a directory', async () => {
    expect((await readAll(readLoadFile(import.meta.dirname))).faults).toStrictEqual([
      { line: 1, member: 'file', message: 'cannot be read: it is a directory' },
    ]);
  });
});

test('a comma too many in an array is reported after the faults before it', async () => {
  expect(await faultsOf('{"sites": [1,]}')).toStrictEqual([
    { line: 1, member: 'sites[0]', message: 'must be an object, not a number' },
    { line: 1, member: 'sites[1]', message: 'is not valid JSON at character 1' },
  ]);
});

test('a record without an end does not fill the memory', async () => {
  async function* endless() {
    yield Buffer.from('{"devices": [{"hostname": "');
    for (;;) yield Buffer.alloc(4 * 1024 * 1024, 'a');
  }
  const faults = new FaultList();
  const window = new ByteWindow(endless(), faults);
  expect(await detectFormat(window)).toBe('document');
  expect(await readAll(readDocument(window, faults))).toStrictEqual({
    records: [],
    faults: [
      { line: 1, member: 'file', message: `has a record larger than ${MAX_RECORD_BYTES / 2 ** 20} MiB` },
    ],
  });
});
