/** Two filters on the same devices: the counts and the samples follow from the devices of each. */
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { aDevice, orgScope, partnerScope, SOME_INSTANT } from '#test/support/builders.ts';
import { and, or, parseFilter, type RawGroup } from '#test/support/filters.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';
import { core, makeReaderQuestions } from './ask-reader.ts';

const is = (field: string, operator: string, value?: unknown) => ({ field, operator, value });

const FILTERS: Readonly<Record<string, RawGroup>> = {
  everything: and(is('hostname', 'isNotNull')),
  nothing: and(is('hostname', 'isNull')),
  'a value': and(is('osType', 'equals', 'linux')),
  'its complement, with devices that lack it': and(is('osType', 'notEquals', 'linux')),
  'a rare name': and(is('hostname', 'equals', 'box-01')),
  tags: or(is('tags', 'hasAny', ['vip']), is('metrics.diskPercent', 'greaterThan', 90)),
  hardware: and(is('hardware.manufacturer', 'equals', 'Dell')),
  software: and(is('software.installed', 'equals', 'Zoom')),
  'software of two names': or(
    is('software[zoom].version', 'lessThan', '2'),
    is('software.installed', 'equals', 'Teams'),
  ),
  'a version': and(is('software[Zoom].version', 'lessThan', '2')),
  'a state': and(is('metrics.cpuPercent', 'isNull')),
  'a status': and(is('status', 'equals', 'online')),
  'other software': and(is('software.notInstalled', 'equals', 'Teams')),
};

export function testReaderComparisons(backend: () => ContractBackend): void {
  const { walk } = makeReaderQuestions(backend);

  describe('DeviceReader, comparisons', () => {
    test('tell which devices enter and which leave, for every pair of filters', async () => {
      const tenant = await createTenant(backend(), 2);
      const [one, two] = tenant.orgIds;
      if (one === undefined || two === undefined) throw new Error('the tenant lacks organizations');
      const devices = Array.from({ length: 24 }, (_, i) =>
        aDevice({
          orgId: i < 20 ? one : two,
          hostname: `${i % 2 === 0 ? 'Box' : 'box'}-${String(i).padStart(2, '0')}`,
          osType: (['linux', 'windows', null] as const)[i % 3] ?? null,
          tags: i % 4 === 0 ? ['vip'] : [],
          software: i % 5 === 0 ? [{ name: 'Zoom', version: '1' }] : [{ name: 'Teams', version: '2' }],
        }),
      );
      await loadFleet(backend(), devices);
      for (const scope of [orgScope(one), partnerScope(tenant.partnerId, tenant.orgIds)]) {
        for (const [was, before] of Object.entries(FILTERS)) {
          for (const [is_, after] of Object.entries(FILTERS)) {
            const [old, now] = [await walk(scope, core(before)), await walk(scope, core(after))];
            const compared = await backend().deviceReader.compare({
              ...{ before: parseFilter(before), after: parseFilter(after), scope, limit: 3 },
              ...{ at: SOME_INSTANT, onBehalfOf: 'test' },
            });
            if (!compared.ok) throw new Error(`${was} and ${is_} were refused: ${compared.error.kind}`);
            const without = (some: typeof old, others: typeof old) => {
              const left = some.filter(({ id }) => others.every((other) => other.id !== id));
              return { count: left.length, ids: left.slice(0, 3).map(({ id }) => id) };
            };
            const { before: count, after: countAfter, entering, leaving } = compared.value;
            const said = [entering, leaving].map((side) => ({
              count: side.count,
              ids: side.devices.map(({ id }) => id),
            }));
            expect([was, is_, count, countAfter, ...said]).toStrictEqual([
              ...[was, is_, old.length, now.length, without(now, old), without(old, now)],
            ]);
          }
        }
      }
    });
  });
}
