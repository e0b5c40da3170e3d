/** Nothing leaves its scope, whatever is asked and however many ask at once. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { digestSecret } from '#adapters/auth/secret-generator.ts';
import { makeDeviceExporter } from '#adapters/postgres/reads/devices/device-exporter.ts';
import { makeCustomFieldSource } from '#adapters/postgres/reads/filters/custom-field-source.ts';
import { makeDeviceMatcher } from '#adapters/postgres/reads/filters/device-matcher.ts';
import { makeFilterExplainer } from '#adapters/postgres/reads/filters/filter-explainer.ts';
import { makeSavedFilterReader } from '#adapters/postgres/reads/filters/saved-filter-reader.ts';
import { openScopedReader, type ScopedReader } from '#adapters/postgres/reads/running/scoped-reader.ts';
import type { ScopedStatement } from '#adapters/postgres/reads/sql/scoped-statement.ts';
import { openOrm } from '#adapters/postgres/transactional/orm.ts';
import { makeUnitOfWork } from '#adapters/postgres/transactional/unit-of-work.ts';
import { systemClock, uuidV7 } from '#adapters/system/clock.ts';
import { makeSecretBox } from '#adapters/system/secret-box.ts';
import { MAX_EXPLAINED_NODES } from '#application/filters/evaluate/run-explain.ts';
import { reachableOrgIds } from '#domain/access/access-scope.ts';
import type { Device } from '#domain/device/device.ts';
import { fieldColumn, OWN_COLUMN_KEYS, ownColumn } from '#domain/export/export-column.ts';
import type { FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import { countNodes } from '#domain/filter/conditions/fold-conditions.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import type { DeviceId } from '#domain/ids.ts';
import { err } from '#domain/result.ts';
import { SCOPE_NAMES, type ScopeName, type TwoTenants } from '#test/adapters/postgres/setup/two-tenants.ts';
import {
  aCustomField,
  aDevice,
  anAuditEntry,
  aSavedFilter,
  orgScope,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import type { PostgresWorld } from '#test/support/database/postgres-world.ts';
import { and, parseFilter } from '#test/support/filters.ts';
import { leavesOf, randomFilter } from '#test/support/random/random-filters.ts';
import { createTenant, loadFleet, type Tenant } from '#test/support/tenant.ts';
import { expectScoped } from './expect-scoped.ts';
import { ALL, HOSTILE, type HostileWorld, openHostileWorld } from './hostile-world.ts';

let world: PostgresWorld;
let tenants: TwoTenants;
let devices: readonly DeviceRecord[];
let catalog: FieldCatalog;
let partnerReach: HostileWorld['partnerReach'];
let idsInReach: HostileWorld['idsInReach'];

beforeAll(async () => {
  ({ world, tenants, devices, catalog, partnerReach, idsInReach } = await openHostileWorld());
});

afterAll(() => world.close());

describe('any question in any scope', () => {
  test('has its scope in every statement, and returns no device of another tenant', async () => {
    const texts: string[] = [];
    const reader = recording(texts);
    const matcher = makeDeviceMatcher(reader, { plansWindows: true });
    const explainFilter = makeFilterExplainer(reader);
    const exportDevices = makeDeviceExporter(reader, 60_000);
    const fieldColumns = [...catalog.values()].flatMap((entry) =>
      entry.kind === 'field' ? (fieldColumn(entry.field) ?? []) : [],
    );
    const columns = [...OWN_COLUMN_KEYS.map(ownColumn), ...fieldColumns];
    const idAt = columns.findIndex(({ key }) => key === 'id');
    const known = devices.map(toDevice);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<ScopeName>(...SCOPE_NAMES),
        randomFilter(leavesOf(catalog, known)),
        async (scopeName, group) => {
          texts.length = 0;
          const scope = tenants.scopes[scopeName];
          const filter = parseFilter(group, catalog);
          const request = { filter, scope, at: 0, onBehalfOf: 'a' };
          const found = await matcher.preview(request, 100);
          if (!found.ok) expect(['invalid-pattern', 'timeout']).toContain(found.error.kind);
          const ids = found.ok ? found.value.devices.map(({ id }) => id) : [];
          if (found.ok) {
            const streamed = (await Array.fromAsync(matcher.streamIds(request))).flat();
            expect(streamed).toHaveLength(found.value.totalCount);
            const exported = (await Array.fromAsync(exportDevices({ ...request, columns }))).flat();
            expect(exported).toHaveLength(found.value.totalCount);
            ids.push(...streamed, ...exported.map((row) => row[idAt] as DeviceId));
          }
          if (countNodes(filter) <= MAX_EXPLAINED_NODES) {
            const [device] = known;
            const explained = await explainFilter({ ...request, deviceId: device?.id ?? null });
            const isInReach = (await idsInReach(scope)).has(device?.id ?? '');
            // A preview may leave out conditions that decide nothing, and with them a pattern that is refused.
            const isRefused = !explained.ok && ['invalid-pattern', 'timeout'].includes(explained.error.kind);
            if (isInReach && !isRefused) expect(explained.ok).toBe(true);
            if (!isInReach && !isRefused) expect(explained).toStrictEqual(err({ kind: 'unknown-device' }));
          }
          expect(texts.length).toBeGreaterThan(0);
          for (const text of texts) expectScoped(text, scope);
          const inReach = await idsInReach(scope);
          expect(ids.filter((id) => !inReach.has(id))).toStrictEqual([]);
        },
      ),
      { numRuns: 250 },
    );
    await reader.close();
  });

  test.each(HOSTILE)('finds the devices called %j in scope by name, and no others', async (text) => {
    for (const scope of [orgScope(tenants.a), partnerReach([tenants.a, tenants.c])]) {
      const orgIds = reachableOrgIds(scope) ?? [];
      const expected = devices.filter(({ orgId, hostname }) => orgIds.includes(orgId) && hostname === text);
      for (const field of ['hostname', 'tags', 'software.installed', 'custom.choice', 'network.macAddress']) {
        const operators = field === 'tags' ? ['contains'] : ['equals', 'in'];
        for (const operator of operators) {
          const value = operator === 'in' ? [text] : text;
          const filter = parseFilter(and({ field, operator, value }), catalog);
          const found = await world.backend.matcher.preview({ filter, scope, at: 0, onBehalfOf: 'a' }, 100);
          // Names of software are compared without regard to case, and no two texts here differ in case alone.
          expect(found.ok && found.value.devices.map(({ id }) => id).toSorted()).toStrictEqual(
            expected.map(({ id }) => id).toSorted(),
          );
        }
      }
    }
  });
});

describe('two tenants on one small pool', () => {
  test('see nothing of each other in 200 requests in a row, including cancelled and failed ones', async () => {
    const reader = openScopedReader({
      connection: world.connection('reader'),
      poolSize: 2,
      timeoutMs: 60_000,
    });
    const { work: orm } = await openOrm(world.connection('app'), {
      work: 3,
      identification: 1,
      'sign-in': 1,
    });
    const matcher = makeDeviceMatcher(reader, { plansWindows: true });
    const ports = {
      filters: makeSavedFilterReader(reader),
      unitOfWork: makeUnitOfWork({
        orm,
        secrets: makeSecretBox('secret'),
        clock: systemClock,
        newId: uuidV7,
        digestSecret,
      }),
      customFields: makeCustomFieldSource(reader),
    };
    const two = [await createTenant(world.backend), await createTenant(world.backend)];
    const filters = two.map(({ orgId, userId }) => aSavedFilter({ orgId, createdBy: userId, name: orgId }));
    for (const { orgId } of two) {
      await loadFleet(world.backend, [
        aDevice({ orgId, hostname: orgId }),
        aCustomField({ owner: { kind: 'organization', orgId }, key: 'own', name: orgId }),
      ]);
    }
    for (const filter of filters) {
      await ports.unitOfWork(SYSTEM_SCOPE, (tx) => tx.filters.add(filter));
    }
    const ask = async ({ orgId }: Tenant, i: number): Promise<unknown> => {
      const scope = orgScope(orgId);
      const request = { filter: parseFilter(ALL), scope, at: 0, onBehalfOf: orgId };
      switch (i % 6) {
        case 0: {
          const found = await matcher.preview(request, 10);
          return found.ok && found.value.devices.map(({ hostname }) => hostname);
        }
        case 1: {
          const controller = new AbortController();
          setImmediate(() => controller.abort());
          const found = await matcher.preview({ ...request, signal: controller.signal }, 10);
          return found.ok ? found.value.devices.map(({ hostname }) => hostname) : [orgId];
        }
        case 2:
          return (await Array.fromAsync(ports.filters.list(scope))).map(({ name }) => name);
        case 3:
          return (await ports.customFields(scope)).map(({ label }) => label);
        case 4:
          return ports.unitOfWork(scope, async (tx) => {
            await tx.audit(anAuditEntry({ orgId }));
            const other = two.find((tenant) => tenant.orgId !== orgId);
            const foreign = filters.find((filter) => filter.orgId === other?.orgId);
            if (foreign === undefined) throw new Error('there is no other filter');
            return (await tx.filters.findForUpdate(foreign.id)) === null ? [orgId] : ['not theirs'];
          });
        default:
          return ports
            .unitOfWork(scope, () => Promise.reject(new Error('thought better of it')))
            .catch(() => [orgId]);
      }
    };
    const all = Array.from({ length: 200 }, (_, i) => ({
      tenant: two[(i * 7 + (i >> 3)) % 2] as Tenant,
      i,
    }));
    const answers = await Promise.all(all.map(({ tenant, i }) => ask(tenant, i)));
    expect(answers).toStrictEqual(all.map(({ tenant }) => [tenant.orgId]));
    await Promise.all([reader.close(), orm.close()]);
  });
});

function toDevice({ kind: _kind, ...device }: DeviceRecord): Device {
  return { ...device, pendingPatchCount: 0, criticalAlertCount: 0 };
}

/** A reader that notes every statement, and runs it. */
function recording(texts: string[]): ScopedReader {
  const reader = openScopedReader({ connection: world.connection('reader'), poolSize: 1, timeoutMs: 60_000 });
  const noted = (statement: ScopedStatement) => {
    texts.push(statement.text);
    return statement;
  };
  return {
    ...reader,
    read: (statement, options) => reader.read(noted(statement), options),
    inSnapshot: (options, work) =>
      reader.inSnapshot(options, (session) =>
        work({ query: (statement, isNamed) => session.query(noted(statement), isNamed) }),
      ),
  };
}
