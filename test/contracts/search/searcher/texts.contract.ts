/** What every searcher promises of texts: every field is searched for its text, literally and in any case. */
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { orgScope } from '#test/support/builders.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';
import {
  ASIDE,
  aBlankAlert,
  aBlankDevice,
  aBlankScript,
  idsOf,
  makeSearcherQuestions,
} from './ask-searcher.ts';

/** A stored text, a searched text, and whether the second is found in the first. */
const CASES: readonly (readonly [kept: string, text: string, isFound: boolean])[] = [
  ['Printer', 'Printer', true],
  ['Printer', 'p', true],
  ['Printer', 'RI', true],
  ['Printer', 'ter', true],
  ['Printer', 'printers', false],
  ['Printer', 'rt', false],
  ['abab', 'BAB', true],
  ['aab', 'ab', true],

  ['100% sure', '0% S', true],
  ['100 % sure', '0% s', false],
  ['1001 sure', '0% s', false],
  ['%', '%', true],
  ['a', '%', false],
  ['a%b', '%%', false],
  ['srv_01', 'V_0', true],
  ['srv-01', 'v_0', false],
  ['a', '_', false],
  ['C:\\Windows\\', ':\\w', true],
  ['C:\\Windows\\', 's\\', true],
  ['C:Windows', ':\\w', false],
  ['a\\b', '\\\\', false],
  ['a\\\\b', '\\\\', true],
  ['a%b', '\\%', false],
  ['a\\%b', '\\%', true],
  ['a_b', '\\_', false],
  ['CORP\\jdoe', 'corp\\JD', true],
  ['CORP\\jdoe', '\\j', true],
  ['CORPjdoe', 'corp\\j', false],

  ["O'Neil's", "O'N", true],
  ["O'Neil's", "''", false],
  ["''", "''", true],
  ['"quoted"', 'd"', true],
  ['`a` $1 $$', '$1 $$', true],
  ["'; drop table device; --", "'; DROP TABLE", true],
  ["E'\\n'", "e'\\N'", true],

  ['-', '-', true],
  ['--', '--', true],
  ['a-b', '--', false],
  ['...', '...', true],
  ['wait...', '..', true],
  ['(draft)', '()', false],
  ['a.b', '.*', false],
  ['a.*b', '.*', true],
  ['a', '^a', false],
  ['a', 'a|b', false],
  ['[a]', '[A]', true],
  ['{a,b}', '{A,B', true],
  ['?!', '?!', true],
  ['::', '::', true],
  ['@@@', '@@@', true],

  ['a b', 'a  b', false],
  ['a  b', 'a  b', true],
  ['a\tb', 'a\tb', true],
  ['a\nb', 'a\nb', true],
  ['a\nb', 'a b', false],
  ['a\u00a0b', 'a b', false],
  ['a\u0001b', '\u0001', true],
  ['a\u007fb', '\u007fB', true],
  // Characters that a store may put between texts or words.
  ['a\u001cb', '\u001cB', true],
  ['a\u001db', '\u001dB', true],
  ['a\u001eb', '\u001eB', true],
  ['a\u001fb', '\u001fB', true],
  ['a\u001e\u001fb c', '\u001e\u001fB C', true],
  ['a-b c', '-\u001eb', false],
  ['a-b c', '-b\u001e c', false],
  ['a-b c', 'b \u001ec', false],
  ['a-b', '\u001f', false],
  ['a-b', '\u001e', false],
  ['a-b', '\u001d', false],

  ['🖨️ Drucker', '🖨', true],
  ['🖨️ Drucker', '🖨️ dr', true],
  ['😀', '😁', false],
  ['👩‍💻 desk', '👩', true],
  ['👩‍💻 desk', '💻 DESK', true],
  ['👍🏽', '👍', true],
  ['🇩🇪', '🇩', true],
  ['𝒳', '𝒳', true],

  ['שרת עולם', 'עולם', true],
  ['مكتب الاستقبال', 'الاست', true],
  ['a\u200fb', '\u200f', true],
  ['שרת-01 lab', '01 LAB', true],

  ['cafe\u0301', 'cafe', true],
  ['CAFE\u0301', 'cafe\u0301', true],
  ['cafe\u0301', '\u0301', true],
  ['caf\u00e9', 'cafe\u0301', false],
  ['cafe\u0301', 'caf\u00e9', false],
  ['CAF\u00c9', 'caf\u00e9', true],
  ['cafe\u0301', 'fe\u0301', true],

  ['İstanbul', 'istanbul', true],
  ['istanbul', 'İSTANBUL', true],
  ['Isparta', 'isparta', true],
  ['ısparta', 'ISPARTA', false],
  ['ısparta', 'ıSP', true],
  ['ISPARTA', 'ı', false],
  ['Straße', 'STRASSE', false],
  ['Strasse', 'straße', false],
  ['STRAẞE', 'straße', true],
  ['straße', 'RAẞ', true],
  ['ΟΔΟΣ', 'οδοσ', true],
  ['ΟΔΟΣ', 'οδος', false],
  ['οδος', 'ΟΔΟΣ', false],
  ['οδος', 'ς', true],
  ['σίγμα', 'ΣΊ', true],
  ['Бухгалтерия', 'бУХ', true],
  ['бухгалтерия', 'ИЯ', true],
  ['Ёлка', 'елка', false],
  ['300 \u212A', '300 k', true],
  ['300 K', '\u212A', true],
  ['\u212Aelvin', '\u212AEL', true],
  ['ſet', 'set', false],
  ['Ａｂ', 'ａＢ', true],
  ['ǅ', 'ǆ', true],
  ['\u2126', 'ω', true],
  ['\u212B', 'å', true],
  ['Ꭰ', 'ꭰ', true],
  ['𐐀', '𐐨', true],
  ['中文服务器', '服务', true],

  [`${'𝒳'.repeat(100)}!`, '𝒳'.repeat(100), true],
  ['𝒳'.repeat(99), '𝒳'.repeat(100), false],
  [`a${'É'.repeat(99)}xb`, `${'é'.repeat(99)}X`, true],
  [`a${'é'.repeat(99)}xb`, `${'é'.repeat(99)}y`, false],
  [`${'ab'.repeat(2_000)}!`, `${'ab'.repeat(49)}!`, true],
];

export function testSearcherTexts(backend: () => ContractBackend): void {
  const { findIds } = makeSearcherQuestions(backend);

  describe('Searcher and texts', () => {
    test.each(CASES)('%j contains %j: %j', async (kept, text, isFound) => {
      const { orgId } = await createTenant(backend());
      const owner = { kind: 'organization', orgId } as const;
      const devices = [
        aBlankDevice({ orgId, hostname: kept }),
        aBlankDevice({ orgId, hostname: kept, displayName: ASIDE }),
        aBlankDevice({ orgId, displayName: kept }),
        aBlankDevice({ orgId, lastUser: kept }),
      ];
      const scripts = [aBlankScript({ owner, name: kept }), aBlankScript({ owner, description: kept })];
      const alerts = [aBlankAlert({ orgId, title: kept }), aBlankAlert({ orgId, message: kept })];
      const blanks = [aBlankDevice({ orgId }), aBlankScript({ owner }), aBlankAlert({ orgId })];
      await loadFleet(backend(), [...devices, ...scripts, ...alerts, ...blanks]);
      expect(await findIds(orgScope(orgId), text)).toStrictEqual({
        devices: isFound ? idsOf(devices) : [],
        scripts: isFound ? idsOf(scripts) : [],
        alerts: isFound ? idsOf(alerts) : [],
      });
    });

    test('finds nothing in fields that are not searched', async () => {
      const tenant = await createTenant(backend());
      const { orgId } = tenant;
      const text = 'sought';
      const device = aBlankDevice({
        orgId,
        osVersion: text,
        osBuild: text,
        agentVersion: text,
        lastSeenIp: text,
        tags: [text],
        hardware: {
          manufacturer: text,
          model: text,
          serialNumber: text,
          cpuModel: text,
          gpuModel: text,
          cpuCores: null,
          ramTotalMb: null,
          diskTotalGb: null,
        },
        network: [{ ipAddress: text, publicIp: text, macAddress: text }],
        software: [{ name: text, version: text }],
        custom: new Map([['note', text]]),
        patches: [{ id: null, title: text, status: 'pending' }],
      });
      await loadFleet(backend(), [device, aBlankAlert({ orgId, deviceId: device.id })]);
      const scope = orgScope(orgId);
      const nothing = { devices: [], scripts: [], alerts: [] };
      expect(await findIds(scope, text)).toStrictEqual(nothing);
      for (const word of ['online', 'unknown', 'critical', 'active', device.id, orgId]) {
        expect(await findIds(scope, word)).toStrictEqual(nothing);
      }
    });

    test('does not match across two fields', async () => {
      const { orgId } = await createTenant(backend());
      const owner = { kind: 'organization', orgId } as const;
      await loadFleet(backend(), [
        aBlankDevice({ orgId, hostname: 'ab', displayName: 'cd', lastUser: 'ef' }),
        aBlankScript({ owner, name: 'ab', description: 'cd' }),
        aBlankAlert({ orgId, title: 'ab', message: 'cd' }),
      ]);
      for (const text of [
        'abcd',
        'bc',
        'cdef',
        'ab cd',
        'b\nc',
        'b\tc',
        'b\u0001c',
        'd\u001fe',
        'b\u001ec',
        'b\u001dc',
        'd e',
      ]) {
        expect(await findIds(orgScope(orgId), text)).toStrictEqual({ devices: [], scripts: [], alerts: [] });
      }
    });
  });
}
