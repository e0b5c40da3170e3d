/** What every matcher promises of a single device: the same answer as a preview, to callers that reach it. */
import type { MatchRequest } from '#application/ports/filters/device-matcher.ts';
import type { DeviceId } from '#domain/ids.ts';
import { err, ok } from '#domain/result.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import {
  aDevice,
  newId,
  orgScope,
  partnerScope,
  SOME_INSTANT,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { and, or, parseFilter, type RawGroup } from '#test/support/filters.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';
import { makeMatcherQuestions } from './ask-matcher.ts';

export function testMatcherOneDevice(backend: () => ContractBackend): void {
  const { requestFor } = makeMatcherQuestions(backend);
  const matches = (request: MatchRequest, id: DeviceId) => backend().matcher.matches(request, id);

  describe('DeviceMatcher.matches', () => {
    const createDevices = async () => {
      const tenant = await createTenant(backend(), 2);
      const server = aDevice({
        orgId: tenant.orgId,
        hostname: 'srv-1',
        lastSeenAt: SOME_INSTANT - 1000,
        software: [{ name: 'Veeam Agent', version: null }],
        network: [{ ipAddress: '10.0.0.1', publicIp: null, macAddress: null }],
        hardware: { ...aDevice({ orgId: tenant.orgId }).hardware, manufacturer: 'Dell' },
      });
      const laptop = aDevice({ orgId: tenant.orgId, hostname: 'laptop-1' });
      await loadFleet(backend(), [server, laptop]);
      return { tenant, server, laptop };
    };

    test.each<[string, RawGroup]>([
      ['a value', and({ field: 'hostname', operator: 'equals', value: 'srv-1' })],
      ['an expression', and({ field: 'hostname', operator: 'matches', value: '^(s)rv-\\d$' })],
      ['software', and({ field: 'software.installed', operator: 'contains', value: 'VEEAM' })],
      ['an address', and({ field: 'network.ipAddress', operator: 'startsWith', value: '10.' })],
      ['hardware', and({ field: 'hardware.manufacturer', operator: 'equals', value: 'Dell' })],
      [
        'a relative date',
        and({ field: 'lastSeenAt', operator: 'withinLast', value: { amount: 1, unit: 'days' } }),
      ],
      [
        'alternatives',
        or(
          { field: 'hostname', operator: 'equals', value: 'other' },
          { field: 'software.installed', operator: 'in', value: ['veeam agent'] },
        ),
      ],
    ])('tells whether a device matches by %s', async (_what, group) => {
      const { tenant, server, laptop } = await createDevices();
      const request = requestFor(orgScope(tenant.orgId), group);
      expect([await matches(request, server.id), await matches(request, laptop.id)]).toStrictEqual([
        ok(true),
        ok(false),
      ]);
    });

    test('says no to a device that is out of reach or does not exist', async () => {
      const { tenant, server } = await createDevices();
      const [own, other] = tenant.orgIds.map(orgScope);
      const scopes = [own, other, orgScope(newId()), partnerScope(tenant.partnerId, []), SYSTEM_SCOPE];
      const answers = scopes.map((scope) => matches(requestFor(scope ?? SYSTEM_SCOPE), server.id));
      expect(await Promise.all(answers)).toStrictEqual([true, false, false, false, true].map((is) => ok(is)));
      expect(await matches(requestFor(SYSTEM_SCOPE), newId())).toStrictEqual(ok(false));
    });

    test('evaluates at the instant of the request', async () => {
      const { tenant, server } = await createDevices();
      const filter = parseFilter(
        and({ field: 'lastSeenAt', operator: 'withinLast', value: { amount: 1, unit: 'hours' } }),
      );
      const request = { ...requestFor(orgScope(tenant.orgId)), filter };
      expect(await matches({ ...request, at: SOME_INSTANT + 7_200_000 }, server.id)).toStrictEqual(ok(false));
    });

    test('is cancelled by its signal', async () => {
      const { tenant, server } = await createDevices();
      const request = { ...requestFor(orgScope(tenant.orgId)), signal: AbortSignal.abort() };
      expect(await matches(request, server.id)).toStrictEqual(err({ kind: 'cancelled' }));
    });
  });
}
