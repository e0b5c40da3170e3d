/** What every explainer promises of one device: where it matches, and its actual values. */
import type { ExplainRequest } from '#application/ports/filters/filter-explainer.ts';
import { err } from '#domain/result.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { beforeAll, describe, expect, test } from '#test/contracts/test-functions.ts';
import { aCustomField, aDevice, newId, orgScope, SOME_INSTANT } from '#test/support/builders.ts';
import {
  CONDITION_AT,
  CONDITION_DEVICES,
  CONDITION_FLEET,
  CONDITION_ORG_ID,
} from '#test/support/condition-cases/fleet.ts';
import { CONDITION_CASES } from '#test/support/condition-cases.ts';
import { and, or, parseIn, type RawCondition } from '#test/support/filters.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';
import { explain, explainRaw, requestOf } from './ask-explainer.ts';

const is = (field: string, operator = 'isNull', value?: unknown): RawCondition => ({
  field,
  operator,
  value,
});

/** Cases in one filter. */
const BATCH = 100;

export function testExplainerDevice(backend: () => ContractBackend): void {
  beforeAll(async () => {
    await loadFleet(backend(), CONDITION_FLEET);
  });

  describe('FilterExplainer and a device', () => {
    test.each(CONDITION_DEVICES.map((device) => [device.hostname, device] as const))(
      'matches %s at every condition as previews do',
      async (hostname, device) => {
        const cases = CONDITION_CASES.filter(({ at }) => at === undefined);
        for (let i = 0; i < cases.length; i += BATCH) {
          const batch = cases.slice(i, i + BATCH);
          const group = or(...batch.map(({ condition }) => condition));
          const explained = await explainRaw(backend(), orgScope(CONDITION_ORG_ID), group, {
            at: CONDITION_AT,
            deviceId: device.id,
          });
          const [, ...marks] = explained.device ?? [];
          const wrong = batch.filter(({ matches }, at) => matches.includes(hostname) !== marks[at]?.matches);
          expect(wrong.map(({ name }) => name)).toStrictEqual([]);
        }
      },
    );

    test('tells where the device matches, and at conditions also its actual value', async () => {
      const { orgId } = await createTenant(backend());
      const device = aDevice({ orgId, hostname: 'one', osType: 'linux', status: 'offline' });
      await loadFleet(backend(), [device, aDevice({ orgId, hostname: 'other' })]);
      const group = and(
        is('osType', 'equals', 'linux'),
        or(is('status', 'equals', 'online'), and(is('hostname', 'notEquals', 'other'))),
        is('status', 'notEquals', 'offline'),
      );
      const explained = await explainRaw(backend(), orgScope(orgId), group, { deviceId: device.id });
      expect(explained.device).toStrictEqual([
        { matches: false, actual: undefined },
        { matches: true, actual: 'linux' },
        { matches: true, actual: undefined },
        { matches: false, actual: 'offline' },
        { matches: true, actual: undefined },
        { matches: true, actual: 'one' },
        { matches: false, actual: 'offline' },
      ]);
    });

    test('tells the actual value of every kind of field', async () => {
      const { orgId } = await createTenant(backend());
      const custom = (key: string, type: 'number' | 'date' | 'boolean' | 'dropdown' | 'text') =>
        aCustomField({
          owner: { kind: 'organization', orgId },
          key,
          type,
          choices: type === 'dropdown' ? ['x'] : [],
        });
      const device = aDevice({
        orgId,
        hostname: 'Büro 🖨',
        lastSeenAt: SOME_INSTANT - 36 * 3_600_000,
        enrolledAt: SOME_INSTANT - 123,
        isHeadless: false,
        uptimeSeconds: 0.1,
        tags: ['b', 'a "quoted"', 'b\\'],
        network: [
          { ipAddress: '10.0.0.2', publicIp: null, macAddress: null },
          { ipAddress: null, publicIp: null, macAddress: 'aa' },
          { ipAddress: '10.0.0.1', publicIp: null, macAddress: null },
          { ipAddress: '10.0.0.2', publicIp: null, macAddress: null },
        ],
        software: ['zoom', 'Äpfel', 'Zoom', 'zoom'].map((name, i) => ({ name, version: String(i) })),
        hardware: { ...aDevice({ orgId }).hardware, cpuCores: 8 },
        custom: new Map<string, string | number | boolean>([
          ['seats', 1e-7],
          ['bought', '2026-02-10T08:00:00+02:00'],
          ['leased', true],
          ['ring', 'x'],
          ['note', 'It’s'],
          ['misfit', 5],
        ]),
      });
      await loadFleet(backend(), [
        custom('seats', 'number'),
        custom('bought', 'date'),
        custom('leased', 'boolean'),
        custom('ring', 'dropdown'),
        custom('note', 'text'),
        custom('misfit', 'text'),
        device,
      ]);
      const expected: readonly (readonly [RawCondition, unknown])[] = [
        [is('hostname'), 'Büro 🖨'],
        [is('displayName'), null],
        [is('orgId', 'equals', orgId), orgId],
        [is('siteId', 'equals', newId()), null],
        [is('lastSeenAt'), SOME_INSTANT - 36 * 3_600_000],
        [is('quarantinedAt'), null],
        [is('daysSinceLastSeen'), 1.5],
        [is('daysSinceEnrolled', 'equals', 0), 123 / 86_400_000],
        [is('isHeadless'), false],
        [is('patches.pending', 'equals', true), false],
        [is('uptimeSeconds'), 0.1],
        [is('metrics.cpuPercent'), null],
        [is('hardware.cpuCores'), 8],
        [is('tags', 'isEmpty'), ['b', 'a "quoted"', 'b\\']],
        [is('tags.name'), ['b', 'a "quoted"', 'b\\']],
        [is('network.ipAddress'), ['10.0.0.2', '10.0.0.1', '10.0.0.2']],
        [is('network.publicIp'), null],
        [is('network.macAddress'), ['aa']],
        [is('software.installed', 'equals', 'zoom'), ['Zoom', 'zoom', 'Äpfel']],
        [is('software.notInstalled', 'equals', 'zoom'), ['Zoom', 'zoom', 'Äpfel']],
        [is('custom.seats'), 1e-7],
        [is('custom.bought'), Date.UTC(2026, 1, 10, 6)],
        [is('custom.leased'), true],
        [is('custom.ring', 'equals', 'x'), 'x'],
        [is('custom.note'), 'It’s'],
        [is('custom.misfit'), null],
      ];
      const group = or(...expected.map(([condition]) => condition));
      const explained = await explainRaw(backend(), orgScope(orgId), group, { deviceId: device.id });
      const actuals = explained.device?.slice(1).map(({ actual }) => actual);
      expect(actuals).toStrictEqual(expected.map(([, actual]) => actual));
    });

    test('tells that values are missing, and at most a hundred of those that exist', async () => {
      const { orgId } = await createTenant(backend());
      const bare = aDevice({ orgId });
      const many = Array.from({ length: 120 }, (_, i) => `n${String(i).padStart(3, '0')}`);
      const full = aDevice({
        orgId,
        tags: many,
        network: many.map((ipAddress) => ({ ipAddress, publicIp: null, macAddress: null })),
        software: many.toReversed().map((name) => ({ name, version: null })),
      });
      await loadFleet(backend(), [bare, full]);
      const group = and(
        is('tags', 'isEmpty'),
        is('tags.name'),
        is('network.ipAddress'),
        is('software.installed', 'equals', 'zoom'),
      );
      const actualsOf = async (deviceId: typeof bare.id) =>
        (await explainRaw(backend(), orgScope(orgId), group, { deviceId })).device
          ?.slice(1)
          .map(({ actual }) => actual);
      expect(await actualsOf(bare.id)).toStrictEqual([[], null, null, []]);
      const first = many.slice(0, 100);
      expect(await actualsOf(full.id)).toStrictEqual([first, first, first, first]);
    });

    test('refuses a device that is unknown or out of scope', async () => {
      const { orgId } = await createTenant(backend());
      const stranger = await createTenant(backend());
      const strange = aDevice({ orgId: stranger.orgId });
      await loadFleet(backend(), [strange, aDevice({ orgId })]);
      const scope = orgScope(orgId);
      const filter = await parseIn(backend(), scope, and(is('hostname')));
      const ask = (deviceId: ExplainRequest['deviceId']) =>
        backend().explainFilter({ ...requestOf({ scope, filter }), deviceId });
      const refusal = err({ kind: 'unknown-device' });
      expect([await ask(strange.id), await ask(newId())]).toStrictEqual([refusal, refusal]);
    });

    test('counts and checks the device in one snapshot, whatever is written meanwhile', async () => {
      const { orgId } = await createTenant(backend());
      const scope = orgScope(orgId);
      const device = aDevice({ orgId });
      const filter = await parseIn(backend(), scope, and(is('status', 'equals', 'online')));
      const flip = (i: number) =>
        loadFleet(backend(), [{ ...device, status: i % 2 === 0 ? 'online' : 'offline' }]);
      await flip(0);
      const looking = Array.from({ length: 60 }, async (_, i) => {
        if (i % 3 === 0) await flip(i / 3);
        const { counts, device: marks } = await explain(backend(), { scope, filter, deviceId: device.id });
        return JSON.stringify([counts[1]?.count, marks?.[1]?.matches, marks?.[1]?.actual]);
      });
      const seen = await Promise.all(looking);
      const possible = ['[1,true,"online"]', '[0,false,"offline"]'];
      expect(seen.filter((each) => !possible.includes(each))).toStrictEqual([]);
    });
  });
}
