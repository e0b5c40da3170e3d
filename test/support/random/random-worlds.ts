/** Random worlds: partners, organizations, definitions of custom fields, and fleets. */
import fc from 'fast-check';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { Device } from '#domain/device/device.ts';
import {
  ALERT_SEVERITIES,
  ALERT_STATUSES,
  type AlertRecord,
  CUSTOM_FIELD_TYPES,
  type CustomFieldRecord,
  type CustomFieldType,
  type DeviceRecord,
  type FleetRecord,
  type Owner,
} from '#domain/fleet/fleet-record.ts';
import type { Id, OrgId, PartnerId, SiteId } from '#domain/ids.ts';
import {
  aCustomField,
  anAlert,
  anOrganization,
  aPartner,
  aSite,
  orgScope,
  partnerScope,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { type Place, randomDevice } from './random-devices.ts';
import { WORDS } from './random-texts.ts';

export interface RandomWorld {
  /** The records to load. */
  readonly records: readonly FleetRecord[];
  /** The devices as they should be after the load. */
  readonly devices: readonly Device[];
  /** Scopes of every kind. */
  readonly scopes: readonly AccessScope[];
  readonly siteIds: readonly SiteId[];
}

/** A world of two partners and five organizations, with so many devices in total. */
export function randomWorld(deviceCount: number): fc.Arbitrary<RandomWorld> {
  return fc
    .uniqueArray(fc.uuid(), { minLength: FIXED_IDS, maxLength: FIXED_IDS, size: 'max' })
    .map(layOut)
    .chain((layout) =>
      fc.record({
        layout: fc.constant(layout),
        customFields: customFieldsOf(layout),
        devices: devicesOf(layout, deviceCount),
        alerts: fc.array(ALERT, { maxLength: deviceCount, size: 'max' }),
      }),
    )
    .map(({ layout, customFields, devices, alerts }) => build(layout, customFields, devices, alerts));
}

/** The first organization has two sites, the last one has none, and the others have one each. */
interface Layout {
  readonly tenants: readonly FleetRecord[];
  readonly partnerIds: readonly [PartnerId, PartnerId];
  readonly orgIds: readonly OrgId[];
  /** The organizations of each partner. */
  readonly orgIdsOf: readonly [readonly OrgId[], readonly OrgId[]];
  readonly siteIds: readonly SiteId[];
  /** Each place is repeated by its weight. */
  readonly places: readonly Place[];
  /** An organization that does not exist. */
  readonly strangerId: OrgId;
}

const FIXED_IDS = 13;

function layOut(ids: readonly string[]): Layout {
  let used = 0;
  const nextId = <K extends string>() => ids[used++] as Id<K>;
  const partners = [aPartner({ id: nextId() }), aPartner({ id: nextId() })] as const;
  const organizations = [0, 0, 0, 1, 1].map((owner) =>
    anOrganization({ id: nextId(), partnerId: (partners[owner] ?? partners[0]).id }),
  );
  const orgIds = organizations.map(({ id }) => id);
  const sites = [0, 0, 1, 2, 3].map((at) => aSite({ id: nextId(), orgId: orgIds[at] as OrgId }));
  const homes = orgIds.flatMap((orgId, i) => Array<Place>(orgIds.length - i).fill({ orgId, siteId: null }));
  return {
    tenants: [...partners, ...organizations, ...sites],
    partnerIds: [partners[0].id, partners[1].id],
    orgIds,
    orgIdsOf: [orgIds.slice(0, 3), orgIds.slice(3)],
    siteIds: sites.map(({ id }) => id),
    places: [...homes, ...sites.map(({ id, orgId }) => ({ orgId, siteId: id }))],
    strangerId: nextId(),
  };
}

/** Keys with their usual types. Each owner defines some of the keys. */
const CUSTOM_KEYS: readonly (readonly [key: string, type: CustomFieldType])[] = [
  ...CUSTOM_FIELD_TYPES.flatMap((type) => [[`${type}_a`, type] as const, [`${type}_b`, type] as const]),
  ['mixed', 'text'],
];

/** A key that devices have but no owner defines. */
const STRAY_KEY = 'stray';

const CHOICES = fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 12 });

function customFieldsOf({ partnerIds, orgIds }: Layout): fc.Arbitrary<readonly CustomFieldRecord[]> {
  const owners: readonly Owner[] = [
    ...partnerIds.map((partnerId) => ({ kind: 'partner', partnerId }) as const),
    ...orgIds.map((orgId) => ({ kind: 'organization', orgId }) as const),
  ];
  const definitions = CUSTOM_KEYS.flatMap(([key, usual]) =>
    owners.map((owner) =>
      fc.option(
        fc
          .record({
            id: fc.uuid(),
            // A caller that reaches two types of a key cannot use the key, so one such key is enough.
            type: key === 'mixed' ? fc.constantFrom(...CUSTOM_FIELD_TYPES) : fc.constant(usual),
            choices: CHOICES,
          })
          .map(({ id, type, choices }) =>
            aCustomField({
              id: id as Id<'custom-field'>,
              owner,
              key,
              type,
              choices: type === 'dropdown' ? choices : [],
            }),
          ),
        { nil: null, freq: owner.kind === 'partner' ? 3 : 1 },
      ),
    ),
  );
  return fc.tuple(...definitions).map((made) => made.filter((definition) => definition !== null));
}

function devicesOf({ places }: Layout, count: number): fc.Arbitrary<readonly DeviceRecord[]> {
  const keys = [...CUSTOM_KEYS.map(([key]) => key), STRAY_KEY];
  const one = fc.uuid().chain((id) => randomDevice(id as Id<'device'>, places, keys));
  return fc.uniqueArray(one, {
    minLength: count,
    maxLength: count,
    size: 'max',
    selector: ({ id }) => id,
  });
}

interface RandomAlert {
  readonly id: string;
  readonly device: number;
  readonly severity: AlertRecord['severity'];
  readonly status: AlertRecord['status'];
}

const ALERT: fc.Arbitrary<RandomAlert> = fc.record({
  id: fc.uuid(),
  device: fc.nat(),
  severity: fc.constantFrom('critical', ...ALERT_SEVERITIES),
  status: fc.constantFrom('active', ...ALERT_STATUSES),
});

function build(
  { tenants, partnerIds, orgIds, orgIdsOf, siteIds, strangerId }: Layout,
  customFields: readonly CustomFieldRecord[],
  devices: readonly DeviceRecord[],
  drawn: readonly RandomAlert[],
): RandomWorld {
  const alerts = [...new Map(drawn.map((alert) => [alert.id, alert])).values()].flatMap((alert) => {
    const device = devices[alert.device % devices.length];
    if (device === undefined) return [];
    const { severity, status } = alert;
    return [
      anAlert({ id: alert.id as Id<'alert'>, orgId: device.orgId, deviceId: device.id, severity, status }),
    ];
  });
  const [first, second] = partnerIds;
  return {
    records: [...tenants, ...customFields, ...devices, ...alerts],
    devices: devices.map((device) => toDevice(device, alerts)),
    scopes: [
      SYSTEM_SCOPE,
      partnerScope(first, orgIdsOf[0]),
      partnerScope(second, orgIdsOf[1]),
      { kind: 'partner', partnerId: first, orgIds: orgIdsOf[0].slice(1), isWhole: false },
      { kind: 'partner', partnerId: second, orgIds: [], isWhole: false },
      ...orgIds.map(orgScope),
      orgScope(strangerId),
    ],
    siteIds,
  };
}

function toDevice({ kind: _kind, ...device }: DeviceRecord, alerts: readonly AlertRecord[]): Device {
  return {
    ...device,
    pendingPatchCount: device.patches?.filter(({ status }) => status === 'pending').length ?? 0,
    criticalAlertCount: alerts.filter(
      ({ deviceId, severity, status }) =>
        deviceId === device.id && severity === 'critical' && status === 'active',
    ).length,
  };
}
