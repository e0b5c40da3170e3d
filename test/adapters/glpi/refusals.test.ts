import { describe, expect, test } from 'vitest';
import { inventoryText, readRefused, readTaken, realText } from './inventories.ts';

describe('not JSON', () => {
  test.each([
    ['an empty text', '', 'is empty'],
    ['white space', ' \n\t', 'is empty'],
    ['XML', '<?xml version="1.0"?>\n<REQUEST/>', 'is XML; only inventories in JSON are supported'],
    ['words', 'hello', 'is not JSON'],
    ['a comma too many', '{"deviceid": "a",\n}', 'is not JSON (line 2 column 1)'],
    [
      'two inventories',
      `${inventoryText({})}{}`,
      expect.stringMatching(/^is not JSON \(line 1 column \d+\)$/),
    ],
  ])('%s is refused', (_, text, message) => {
    expect(readRefused(text)).toStrictEqual([message]);
  });

  test('an inventory that is cut off anywhere is called truncated', () => {
    const text = realText('printer_1').trimEnd();
    const messages = new Set<string>();
    for (let length = 1; length < text.length; length += 7) {
      for (const message of readRefused(text.slice(0, length))) messages.add(message);
    }
    expect([...messages]).toStrictEqual(['is truncated: the JSON ends before it is complete']);
  });
});

describe('JSON, but no inventory', () => {
  test.each([
    ['an array', '[]', 'is not an inventory: it must be one JSON object'],
    ['null', 'null', 'is not an inventory: it must be one JSON object'],
    ['a number', '12', 'is not an inventory: it must be one JSON object'],
    ['an empty object', '{}', 'is not an inventory: it has no deviceid and no content'],
    ['no device id', '{"content": {}}', 'is not an inventory: it has no deviceid'],
    ['an empty device id', '{"deviceid": " ", "content": {}}', 'is not an inventory: its deviceid is empty'],
    ['no content', '{"deviceid": "a"}', 'is not an inventory: it has no content'],
    [
      'a load file',
      '{"devices": [], "sites": []}',
      'is a load file, not an inventory; use load instead of import',
    ],
    [
      'a line of a load file',
      '{"kind": "device", "id": "a"}',
      'is a load file, not an inventory; use load instead of import',
    ],
    [
      'a load file in NDJSON',
      '{"kind": "device", "id": "a"}\n{"kind": "device", "id": "b"}\n',
      'is a load file, not an inventory; use load instead of import',
    ],
    [
      'a contact of an agent',
      '{"deviceid": "a", "action": "contact", "name": "GLPI-Agent"}',
      'is not an inventory: its action is "contact"; supported are inventory, netinventory, injector',
    ],
    [
      'a network discovery',
      inventoryText({}, { action: 'netdiscovery' }),
      'is not an inventory: its action is "netdiscovery"; supported are inventory, netinventory, injector',
    ],
  ])('%s is refused', (_, text, message) => {
    expect(readRefused(text)).toStrictEqual([message]);
  });

  test.each(['Unmanaged', 'Monitor', 'computer', ''])('the itemtype %j is refused', (itemtype) => {
    expect(readRefused(inventoryText({}, { itemtype }))).toStrictEqual([
      `has the unsupported itemtype "${itemtype}"; supported are Computer, Phone, Printer, NetworkEquipment`,
    ]);
  });

  test.each(['Computer', 'Phone', 'Printer', 'NetworkEquipment'])(
    'but the itemtype %j is accepted',
    (itemtype) => {
      expect(readTaken(inventoryText({}, { itemtype })).inventoryId).toBe('device-1');
    },
  );
});

describe('the schema', () => {
  test.each<[string, object, object, readonly string[]]>([
    [
      'an inventory without an agent',
      { versionclient: undefined },
      {},
      ["content must have required property 'versionclient'"],
    ],
    ['a member of another format', {}, { version: 2 }, ['the document must not have "version"']],
    ['a device id that is a number', {}, { deviceid: 12 }, ['deviceid must be string']],
    ['a partial that is a word', {}, { partial: 'yes' }, ['partial must be boolean']],
    ['an itemtype that is a number', {}, { itemtype: 1 }, ['itemtype must be string']],
    ['a memory in words', { hardware: { memory: '8 GB' } }, {}, ['content.hardware.memory must be integer']],
    [
      'software without a name',
      { softwares: [{ name: 'a' }, {}] },
      {},
      ["content.softwares[1] must have required property 'name'"],
    ],
    ['software that is no list', { softwares: {} }, {}, ['content.softwares must be array']],
    [
      'a date in another form',
      { accesslog: { logdate: '12 June 2020' } },
      {},
      [expect.stringMatching(/^content\.accesslog\.logdate must match pattern /)],
    ],
    [
      'an invalid IPv4 address',
      { networks: [{ description: 'eth0', ipaddress: '10.0.0.256' }] },
      {},
      ['content.networks[0].ipaddress must match format "ipv4"'],
    ],
    [
      'an address that is neither IPv4 nor IPv6',
      { network_device: { type: 'Networking', ips: ['10.0.0'] } },
      {},
      [
        'content.network_device.ips[0] must match format "ipv4"',
        'content.network_device.ips[0] must match format "ipv6"',
      ],
    ],
    [
      'two faults at once',
      { hardware: { memory: 1.5, name: 5 } },
      {},
      ['content.hardware.memory must be integer', 'content.hardware.name must be string'],
    ],
  ])('refuses %s', (_, content, header, messages) => {
    expect(readRefused(inventoryText(content, header)).toSorted()).toStrictEqual(messages.toSorted());
  });

  test('refuses a content that is no object', () => {
    expect(readRefused('{"deviceid": "a", "content": []}')).toStrictEqual(['content must be object']);
  });

  test('refuses with only the first twenty of very many faults', () => {
    const softwares = Array.from({ length: 1000 }, () => ({}));
    const messages = readRefused(inventoryText({ softwares }));
    expect(messages).toHaveLength(21);
    expect(messages.at(-1)).toBe('and 980 more');
  });
});

describe('texts that cannot be stored', () => {
  const NUL = 'must not contain a NUL character (U+0000)';
  const TOO_LONG = 'must have at most 500 characters; it has 501';
  const HALF = 'must not contain an unpaired surrogate';

  test.each<[string, object, object, string]>([
    ['the device id', { hardware: { name: 'PC' } }, { deviceid: 'a\u0000' }, `deviceid ${NUL}`],
    ['a name', { hardware: { name: 'a\u0000' } }, {}, `hostname ${NUL}`],
    ['a serial number', { bios: { ssn: '\u0000\u0000' } }, {}, `hardware.serialNumber ${NUL}`],
    [
      'a version of software',
      { softwares: [{ name: 'a' }, { name: 'b', version: '\ud800' }] },
      {},
      `software[1].version ${HALF}`,
    ],
    ['an interface', { networks: [{ description: '', mac: 'a\u0000' }] }, {}, `network[0].macAddress ${NUL}`],
    ['a user', { users: [{ login: 'a\udc00' }] }, {}, `lastUser ${HALF}`],
    ['a name that is too long', { hardware: { name: 'a'.repeat(501) } }, {}, `hostname ${TOO_LONG}`],
    ['a name of software', { softwares: [{ name: 'a\u0000' }] }, {}, `software[0].name ${NUL}`],
  ])('are refused in %s', (_, content, header, message) => {
    expect(readRefused(inventoryText(content, header))).toStrictEqual([message]);
  });

  test('are accepted in members that nothing reads', () => {
    const monitors = [{ serial: 'a\u0000' }];
    expect(readTaken(inventoryText({ monitors })).inventoryId).toBe('device-1');
  });
});

test('a byte order mark is no fault', () => {
  expect(readTaken(`\uFEFF${realText('computer_2')}`)).toStrictEqual(readTaken(realText('computer_2')));
});

test('deep nesting is no fault in a member that nothing reads', () => {
  const depth = 100_000;
  const text = inventoryText({ extra: 'HERE' }).replace('"HERE"', '['.repeat(depth) + ']'.repeat(depth));
  expect(readTaken(text).inventoryId).toBe('device-1');
});
