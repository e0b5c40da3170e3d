/** What every store of inventories promises of titles of software: limits on their length and their total size. */
import type { InstalledSoftware } from '#domain/device/device.ts';
import { MAX_TITLE_BYTES_PER_ORGANIZATION, MAX_TITLE_LENGTH } from '#domain/limits.ts';
import { err } from '#domain/result.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { aDevice, anInventory, orgScope, SOME_INSTANT } from '#test/support/builders.ts';
import { and, findHostnames } from '#test/support/filters.ts';
import { createTenant, loadFleet, type Tenant } from '#test/support/tenant.ts';
import { makeInventoryQuestions } from './whole-inventory.ts';

/** Characters of four bytes each, which do not compress. */
function incompressible(length: number, seed: number): string {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return 0x20000 + ((state >>> 8) % 0xa000);
  };
  return Array.from({ length }, () => String.fromCodePoint(next())).join('');
}

const titles = (...names: readonly string[]): readonly InstalledSoftware[] =>
  names.map((name) => ({ name, version: null }));

/** Titles of 4 KiB each. */
const TITLE_BYTES = 4 * MAX_TITLE_LENGTH;
const MOST_LARGE = MAX_TITLE_BYTES_PER_ORGANIZATION / TITLE_BYTES;
const large = (from: number, count: number) =>
  titles(
    ...Array.from({ length: count }, (_, i) => {
      const number = String.fromCodePoint(0x20000 + from + i);
      return number + '\u{1F5A5}'.repeat(MAX_TITLE_LENGTH - 1);
    }),
  );

export function testInventoryTitles(backend: () => ContractBackend): void {
  const { store } = makeInventoryQuestions(backend);

  const report = (
    { orgId }: Tenant,
    inventoryId: string,
    software: readonly InstalledSoftware[],
    fields: { readonly hostname?: string } = {},
  ) => store(orgId, anInventory({ ...fields, software }, { inventoryId }), SOME_INSTANT);

  const hostnames = ({ orgId }: Tenant, field: string, operator: string, value: string) =>
    findHostnames(backend(), orgScope(orgId), and({ field, operator, value }));

  describe('InventoryStore, titles of software', () => {
    test('takes names of 1,024 characters, and finds devices by them and by their parts', async () => {
      const tenant = await createTenant(backend());
      const name = incompressible(MAX_TITLE_LENGTH, 1);
      const short = incompressible(500, 2);
      expect((await report(tenant, 'pc-1', titles(name, short), { hostname: 'long' })).ok).toBe(true);
      await loadFleet(backend(), [
        aDevice({ orgId: tenant.orgId, hostname: 'loaded', software: titles(name) }),
      ]);
      const both = ['loaded', 'long'];
      expect(await hostnames(tenant, 'software.installed', 'equals', name)).toStrictEqual(both);
      const part = [...name].slice(600, 620).join('');
      expect(await hostnames(tenant, 'software.installed', 'contains', part)).toStrictEqual(both);
      expect(await hostnames(tenant, 'software.installed', 'equals', short)).toStrictEqual(['long']);
    });

    test('refuses a longer name, and changes nothing', async () => {
      const tenant = await createTenant(backend());
      const tooLong = titles('x'.repeat(MAX_TITLE_LENGTH + 1));
      expect(await report(tenant, 'pc-1', tooLong, { hostname: 'new' })).toStrictEqual(err('too-long-title'));
      expect(await hostnames(tenant, 'hostname', 'equals', 'new')).toStrictEqual([]);
      expect((await report(tenant, 'pc-1', titles('Editor'), { hostname: 'old' })).ok).toBe(true);
      expect(await report(tenant, 'pc-1', tooLong, { hostname: 'new' })).toStrictEqual(err('too-long-title'));
      expect(await hostnames(tenant, 'software.installed', 'equals', 'editor')).toStrictEqual(['old']);
    });

    test('refuses more bytes of names than an organization may have, until there is room', async () => {
      const tenant = await createTenant(backend());
      const other = await createTenant(backend());
      const room = 2;
      expect((await report(tenant, 'full', large(0, MOST_LARGE - room), { hostname: 'full' })).ok).toBe(true);

      const refused = err('too-many-title-bytes');
      const three = large(MOST_LARGE, 3);
      expect(await report(tenant, 'pc-1', three, { hostname: 'new' })).toStrictEqual(refused);
      expect(await hostnames(tenant, 'hostname', 'equals', 'new')).toStrictEqual([]);
      expect((await report(other, 'pc-1', three)).ok).toBe(true);
      // Titles that the organization has already take no room.
      expect((await report(tenant, 'pc-2', large(0, 5))).ok).toBe(true);

      // Two at once: each of them would fit, but not both.
      const outcomes = await Promise.all([
        report(tenant, 'pc-3', large(MOST_LARGE, room)),
        report(tenant, 'pc-4', large(MOST_LARGE + room, room)),
      ]);
      expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
      expect(outcomes.filter(({ ok }) => !ok)).toStrictEqual([refused]);

      // A machine that gives up titles makes room for its own new ones at once, and then for others.
      const kept = large(0, MOST_LARGE - room - 3);
      expect((await report(tenant, 'full', [...kept, ...large(2 * MOST_LARGE, 3)])).ok).toBe(true);
      expect(await report(tenant, 'pc-1', three)).toStrictEqual(refused);
      expect((await report(tenant, 'full', kept)).ok).toBe(true);
      expect((await report(tenant, 'pc-1', three)).ok).toBe(true);
    });
  });
}
