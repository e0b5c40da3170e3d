import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { makeReadingThread, readDocument } from '#adapters/glpi/messages/message-reader.ts';
import { readMessage } from '#adapters/glpi/messages/read-message.ts';
import { newId } from '#test/support/builders.ts';
import { realText } from './inventories.ts';

const ORG_ID = newId<'organization'>();

const recorded = (name: string) => readFileSync(join(import.meta.dirname, '../../fixtures/agents', name));
const bytesOf = (value: unknown) => new Uint8Array(Buffer.from(JSON.stringify(value)));

describe('a document', () => {
  test('is read in a thread with the same result as here', async () => {
    for (const name of [
      'computer_1',
      'computer_1_partial_softs',
      'phone_1',
      'printer_1',
      'networkequipment_1',
    ]) {
      const bytes = Buffer.from(realText(name));
      const here = readMessage(bytes);
      expect(here.ok).toBe(true);
      expect(await readDocument({ bytes, coding: 'plain' }, ORG_ID)).toStrictEqual(here);
      expect(await readDocument({ bytes: deflateSync(bytes), coding: 'zlib' }, ORG_ID)).toStrictEqual(here);
    }
  });

  test('with a byte order mark is read', async () => {
    for (const text of [realText('computer_1'), recorded('contact.json').toString()]) {
      const bytes = Buffer.from(`\ufeff${text}`);
      expect(await readDocument({ bytes, coding: 'plain' }, ORG_ID)).toMatchObject({ ok: true });
    }
  });

  test('that opens a conversation names the device, and a contact also its tasks', async () => {
    const inventoryId = 'host-2026-11-21-23-41-28';
    expect(await readDocument({ bytes: recorded('prolog.xml'), coding: 'plain' }, ORG_ID)).toStrictEqual({
      ok: true,
      value: { kind: 'prolog', inventoryId },
    });
    const tasks = ['collect', 'deploy', 'esx', 'inventory', 'netdiscovery', 'netinventory'];
    expect(await readDocument({ bytes: recorded('contact.json'), coding: 'plain' }, ORG_ID)).toStrictEqual({
      ok: true,
      value: { kind: 'contact', inventoryId, tasks: [...tasks, 'remoteinventory', 'wakeonlan'] },
    });
  });

  test('with a wrong type in a member of the schema is refused, however deep', () => {
    const whole = JSON.parse(realText('computer_1'));
    const places = placesOf(whole);
    expect(places.length).toBeGreaterThan(100);
    const taken = places.filter((path) => readMessage(bytesOf(replace(whole, path, [{ a: [] }]))).ok);
    // The schema allows anything in members that it does not name; they are not read.
    expect(taken.map((path) => path.join('.'))).toStrictEqual(UNKNOWN_TO_THE_SCHEMA);
  });

  test.each<[string, string]>([
    ['lists', '[],'],
    ['objects', '{},'],
    ['numbers', '1,'],
    ['levels', '['],
  ])('with too many %s is refused before it is parsed', (_, piece) => {
    const text = `{"deviceid":"a","content":{"x":[${piece.repeat(500_001)}1]}}`;
    const faults = ['has more than 500,000 members; no inventory has'];
    expect(readMessage(Buffer.from(text))).toStrictEqual({ ok: false, error: { kind: 'faulty', faults } });
  });

  test('that is cut off anywhere is refused', () => {
    const bytes = Buffer.from(realText('computer_2'));
    for (let end = 0; end < bytes.length - 2; end += 997)
      expect(readMessage(bytes.subarray(0, end)).ok).toBe(false);
  });
});

const UNKNOWN_TO_THE_SCHEMA: readonly string[] = [];

type Path = readonly (string | number)[];

/** Paths of every scalar member; of lists, those of the first entry. */
function placesOf(value: unknown, at: Path = []): readonly Path[] {
  if (Array.isArray(value)) return value.length === 0 ? [] : placesOf(value[0], [...at, 0]);
  if (typeof value !== 'object' || value === null) return [at];
  return Object.entries(value).flatMap(([name, member]) => placesOf(member, [...at, name]));
}

function replace(whole: object, path: Path, value: unknown): unknown {
  const copy = structuredClone(whole);
  const parents = path.slice(0, -1);
  const parent = parents.reduce<object>((at, step) => Reflect.get(at, step), copy);
  Reflect.set(parent, path.at(-1) ?? '', value);
  return copy;
}

describe('the thread', () => {
  test('reads one document after the other, even if one is faulty', async () => {
    const read = makeReadingThread();
    const good = () => new Uint8Array(Buffer.from(realText('computer_1')));
    const readings = await Promise.all([
      read(good(), 'A'),
      read(bytesOf({ content: 1 }), 'A'),
      read(bytesOf([]), 'A'),
      read(good(), 'A'),
    ]);
    expect(readings.map(({ ok }) => ok)).toStrictEqual([true, false, false, true]);
  });

  test('takes turns by tenant, so a flood hardly delays other tenants', async () => {
    const read = makeReadingThread();
    const order: string[] = [];
    const document = () => new Uint8Array(Buffer.from(realText('computer_1')));
    const send = async (tenant: string) => {
      await read(document(), tenant);
      order.push(tenant);
    };
    await Promise.all([...Array.from({ length: 5 }, () => send('flood')), send('one'), send('two')]);
    expect(order).toStrictEqual(['flood', 'flood', 'one', 'two', 'flood', 'flood', 'flood']);
  });

  test('gives up on a document that takes too long', async () => {
    const read = makeReadingThread(0);
    expect(await read(new Uint8Array(recorded('contact.json')), 'A')).toStrictEqual({
      ok: false,
      error: { kind: 'faulty', faults: ['is too complex to be read'] },
    });
  });
});
