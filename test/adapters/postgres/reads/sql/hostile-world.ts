/** Tenants whose devices have texts that try to be SQL, in every field. */
import { inject } from 'vitest';
import { type AccessScope, reachableOrgIds } from '#domain/access/access-scope.ts';
import { resolveCustomFields } from '#domain/filter/catalog/custom-field.ts';
import { buildCatalog, type FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import { loadTwoTenants, type TwoTenants } from '#test/adapters/postgres/setup/two-tenants.ts';
import { aCustomField, aDevice, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';
import { and } from '#test/support/filters.ts';
import { loadFleet, type Tenant } from '#test/support/tenant.ts';

/** Texts that try to be SQL. */
export const HOSTILE: readonly string[] = [
  `') or true --`,
  `') or true; select * from device --`,
  `\\') or true --`,
  `\\\\') or true --`,
  `'::uuid) or true --`,
  `}') or ('{a}'='{a}`,
  `}'::text[]) or true --`,
  '$1',
  '$$) or true --',
  '$x$',
  '\\',
  '\\\\',
  `'`,
  `''`,
  `"`,
  '`',
  '{a,b}',
  '{',
  '/*',
  '*/ or true',
  '--',
  ';',
  'NULL',
  '\\N',
  'E\\x27',
  '\\u0027) or true --',
  'U&\\0027',
  '\u02BC) or true --',
  '\uFF07) or true --',
  '%',
  '_',
  '😀',
  '\u2028) or true --',
];

/** Every device in scope. */
export const ALL = and({ field: 'hostname', operator: 'isNotNull' });

export interface HostileWorld {
  readonly world: PostgresWorld;
  readonly tenants: TwoTenants;
  /** One for each text and organization. */
  readonly devices: readonly DeviceRecord[];
  readonly catalog: FieldCatalog;
  /** Some organizations of the partner. */
  partnerReach(orgIds: readonly Tenant['orgId'][]): AccessScope;
  idsInReach(scope: AccessScope): Promise<ReadonlySet<string>>;
}

export async function openHostileWorld(): Promise<HostileWorld> {
  const world = await createPostgresWorld(inject('databaseUrl'));
  const tenants = await loadTwoTenants(world);
  const { a, b, c } = tenants;
  const devices = [a, b, c].flatMap((orgId) => HOSTILE.map((text) => aHostileDevice(orgId, text)));
  await loadFleet(world.backend, [
    ...[a, b, c].map((orgId) =>
      aCustomField({
        owner: { kind: 'organization', orgId },
        key: 'choice',
        type: 'dropdown',
        choices: HOSTILE,
      }),
    ),
    ...devices,
  ]);
  const definitions = await world.backend.customFields(SYSTEM_SCOPE);
  const catalog = buildCatalog(resolveCustomFields(definitions));
  const reachable = new Map<AccessScope, ReadonlySet<string>>();
  return {
    world,
    tenants,
    devices,
    catalog,
    partnerReach: (orgIds) => ({ kind: 'partner', partnerId: tenants.p, orgIds, isWhole: false }),
    idsInReach: async (scope) => {
      const known = reachable.get(scope);
      if (known !== undefined) return known;
      const rows = await world.query<{ id: string; org_id: string }>(
        'owner',
        'select id, org_id from device',
      );
      const orgIds: readonly string[] | null = reachableOrgIds(scope);
      const ids = rows.filter(({ org_id }) => orgIds?.includes(org_id) ?? true).map(({ id }) => id);
      reachable.set(scope, new Set(ids));
      return new Set(ids);
    },
  };
}

/** A device that has the text in every field that takes a text. */
function aHostileDevice(orgId: Tenant['orgId'], text: string): DeviceRecord {
  return aDevice({
    orgId,
    hostname: text,
    displayName: text,
    agentVersion: text,
    osVersion: text,
    osBuild: text,
    lastUser: text,
    lastSeenIp: text,
    tags: [text],
    osType: 'linux',
    lastSeenAt: 0,
    uptimeSeconds: 5,
    hardware: {
      manufacturer: text,
      model: text,
      serialNumber: text,
      cpuModel: text,
      gpuModel: text,
      cpuCores: 4,
      ramTotalMb: null,
      diskTotalGb: null,
    },
    network: [{ ipAddress: text, publicIp: text, macAddress: text }],
    software: [{ name: text, version: text }],
    custom: new Map([
      ['own', text],
      ['shared', text],
      ['choice', text],
    ]),
  });
}
