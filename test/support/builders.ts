/** Complete and valid records, values and calls. A test gives only the facts that it is about. */
import { randomBytes } from 'node:crypto';
import { uuidV7 } from '#adapters/system/clock.ts';
import type { Call } from '#application/call.ts';
import { type RateKey, type RateRule, rateLimit } from '#application/ports/auth/stores/rate-limiter.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { LocatedRecord } from '#application/ports/fleet/fleet-writer.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { Caller } from '#domain/access/caller.ts';
import type { IdentityProvider } from '#domain/access/identity-provider.ts';
import type { Passkey } from '#domain/access/passkey.ts';
import type { Session } from '#domain/access/session.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import { NO_HARDWARE, NO_METRICS } from '#domain/device/device.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import type {
  AlertRecord,
  ApiKeyRecord,
  CustomFieldRecord,
  DeviceRecord,
  FilterRecord,
  FleetRecord,
  OrganizationRecord,
  PartnerRecord,
  ScriptRecord,
  SiteRecord,
  UserRecord,
} from '#domain/fleet/fleet-record.ts';
import type { OrgId, PartnerId } from '#domain/ids.ts';
import type { DeviceInventory, InventoriedFields } from '#domain/inventory/device-inventory.ts';
import type { Subscription } from '#domain/membership/subscription.ts';
import type { WebhookDelivery } from '#domain/membership/webhook-delivery.ts';
import type { EpochMs } from '#domain/time.ts';

/** Ids that sort in the order in which a test makes them. */
export const newId = uuidV7;

/** An instant that no test depends on: 2026-02-10T08:00:00.000Z. */
export const SOME_INSTANT: EpochMs = Date.UTC(2026, 1, 10, 8);

/** A clock that stands still. */
export function fixedClock(at: EpochMs = SOME_INSTANT): Clock {
  return () => at;
}

/** A clock that a test moves. */
export function movableClock(at: EpochMs = SOME_INSTANT): { clock: Clock; moveTo(instant: EpochMs): void } {
  let now = at;
  return {
    clock: () => now,
    moveTo: (instant) => {
      now = instant;
    },
  };
}

/** The key of a counter for these parts under a rule. */
export function aRateKey(rule: RateRule, ...parts: readonly string[]): RateKey {
  return rateLimit(rule, () => parts)();
}

export function aPartner(given: Partial<PartnerRecord> = {}): PartnerRecord {
  const id = newId<'partner'>();
  return { kind: 'partner', id, name: `Northwind ${id}`, ...given };
}

export function anOrganization(
  given: Partial<OrganizationRecord> & Pick<OrganizationRecord, 'partnerId'>,
): OrganizationRecord {
  const id = newId<'organization'>();
  return { kind: 'organization', id, name: `Contoso ${id}`, ...given };
}

export function aSite(given: Partial<SiteRecord> & Pick<SiteRecord, 'orgId'>): SiteRecord {
  const id = newId<'site'>();
  return { kind: 'site', id, name: `Head office ${id}`, ...given };
}

/** A user of the whole system, unless a membership is given. */
export function aUser(given: Partial<UserRecord> = {}): UserRecord {
  const id = given.id ?? newId();
  return {
    kind: 'user',
    id,
    email: `user-${id}@example.com`,
    name: 'Sam Example',
    password: 'correct horse battery staple',
    membership: { scope: 'system' },
    permissions: [],
    isPlatformAdmin: false,
    totpSecret: null,
    ...given,
  };
}

export function anApiKey(given: Partial<ApiKeyRecord> & Pick<ApiKeyRecord, 'userId'>): ApiKeyRecord {
  return {
    kind: 'apiKey',
    id: newId(),
    key: `fsk_${randomBytes(32).toString('base64url')}`,
    name: 'Deployment',
    orgId: null,
    permissions: [],
    expiresAt: null,
    ...given,
  };
}

/** A text field. */
export function aCustomField(
  given: Partial<CustomFieldRecord> & Pick<CustomFieldRecord, 'owner' | 'key'>,
): CustomFieldRecord {
  return { kind: 'customField', id: newId(), name: given.key, type: 'text', choices: [], ...given };
}

/** A device that has never reported. */
export function aDevice(given: Partial<DeviceRecord> & Pick<DeviceRecord, 'orgId'>): DeviceRecord {
  const id = given.id ?? newId();
  return {
    kind: 'device',
    id,
    siteId: null,
    hostname: `device-${id}`,
    displayName: null,
    status: 'online',
    osType: null,
    osVersion: null,
    osBuild: null,
    architecture: null,
    agentVersion: null,
    enrolledAt: null,
    lastSeenAt: null,
    lastSeenIp: null,
    tags: [],
    deviceRole: 'unknown',
    lastUser: null,
    isHeadless: null,
    uptimeSeconds: null,
    watchdogStatus: null,
    quarantinedAt: null,
    rebootRequired: false,
    hardware: NO_HARDWARE,
    metrics: NO_METRICS,
    network: [],
    volumes: [],
    software: [],
    custom: new Map(),
    patches: null,
    ...given,
  };
}

export function aScript(given: Partial<ScriptRecord> & Pick<ScriptRecord, 'owner'>): ScriptRecord {
  return { kind: 'script', id: newId(), name: 'Clear the spooler', description: null, ...given };
}

/** A critical alert that is active, about no device. */
export function anAlert(given: Partial<AlertRecord> & Pick<AlertRecord, 'orgId'>): AlertRecord {
  return {
    kind: 'alert',
    id: newId(),
    deviceId: null,
    title: 'Disk almost full',
    message: null,
    severity: 'critical',
    status: 'active',
    createdAt: null,
    ...given,
  };
}

/** Conditions that match devices that are online. */
export const ONLINE_CONDITIONS = {
  operator: 'AND',
  conditions: [{ field: 'status', operator: 'equals', value: 'online' }],
} as const;

/** A filter as in a load file. */
export function aFilter(
  given: Partial<FilterRecord> & Pick<FilterRecord, 'orgId' | 'createdBy'>,
): FilterRecord {
  return {
    kind: 'filter',
    id: newId(),
    partnerId: null,
    name: 'Online devices',
    description: null,
    conditions: ONLINE_CONDITIONS,
    ...given,
  };
}

/** A filter as it is stored. */
export function aSavedFilter(
  given: Partial<SavedFilter> & Pick<SavedFilter, 'orgId' | 'createdBy'>,
): SavedFilter {
  const createdAt = given.createdAt ?? SOME_INSTANT;
  return {
    id: newId(),
    partnerId: null,
    name: 'Online devices',
    description: null,
    conditionsJson: JSON.stringify(ONLINE_CONDITIONS),
    changedBy: given.createdBy,
    createdAt,
    updatedAt: createdAt,
    version: 1,
    ...given,
  };
}

export function aDelivery(
  given: Partial<WebhookDelivery> & Pick<WebhookDelivery, 'subscriptionId'>,
): WebhookDelivery {
  return {
    ...{ id: newId(), told: { from: 'a', to: 'b', position: 1 }, body: '{}' },
    ...{ status: 'pending', at: SOME_INSTANT, httpStatus: null, durationMs: null, error: null },
    ...given,
  };
}

export function aSubscription(
  given: Partial<Subscription> & Pick<Subscription, 'orgId' | 'filterId'>,
): Subscription {
  return {
    id: newId(),
    partnerId: null,
    ...{ name: 'Patch group', kind: 'feed', state: 'active' },
    ...{ url: null, recipients: null, notify: null, batchSeconds: null, guard: null },
    createdBy: newId(),
    createdAt: SOME_INSTANT,
    ...given,
  };
}

export function anAuditEntry(given: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: newId(),
    at: SOME_INSTANT,
    actor: { type: 'user', id: newId() },
    orgId: null,
    partnerId: null,
    action: 'filter.preview',
    result: 'success',
    resourceType: 'filter',
    resourceId: null,
    details: {},
    requestId: 'request-1',
    ip: null,
    ...given,
  };
}

/** A full inventory that reports nothing but a name. */
export function anInventory(
  fields: Partial<InventoriedFields> = {},
  header: Partial<Omit<DeviceInventory, 'kind' | 'fields'>> = {},
): Extract<DeviceInventory, { kind: 'full' }> {
  return {
    kind: 'full',
    inventoryId: `inventory-${newId()}`,
    identity: { systemUuid: null, macAddresses: [] },
    takenAt: SOME_INSTANT,
    bootedAt: null,
    tag: null,
    ...header,
    fields: {
      hostname: 'inventoried',
      deviceRole: 'workstation',
      osType: null,
      osVersion: null,
      osBuild: null,
      architecture: null,
      agentVersion: null,
      lastUser: null,
      uptimeSeconds: null,
      hardware: NO_HARDWARE,
      network: [],
      software: [],
      ...fields,
    },
  };
}

/** The records with line numbers, one line each, as in NDJSON. */
export function located(records: readonly FleetRecord[]): readonly LocatedRecord[] {
  return records.map((record, i) => ({ record, line: i + 1, member: record.kind }));
}

export const SYSTEM_SCOPE: AccessScope = { kind: 'system' };

export function orgScope(orgId: OrgId): AccessScope {
  return { kind: 'organization', orgId };
}

/** The scope of partner staff with access to all organizations of the partner, which are `orgIds`. */
export function partnerScope(partnerId: PartnerId, orgIds: readonly OrgId[]): AccessScope {
  return { kind: 'partner', partnerId, orgIds, isWhole: true };
}

/** A session that begins now, in the first epoch, without MFA. */
export function aSession(given: Partial<Session> & Pick<Session, 'userId'>): Session {
  const createdAt = given.createdAt ?? SOME_INSTANT;
  return {
    id: newId(),
    authEpoch: 1,
    mfa: null,
    provenAt: null,
    createdAt,
    lastUsedAt: createdAt,
    ip: null,
    userAgent: null,
    expiresAt: createdAt + 86_400_000,
    endedAt: null,
    ...given,
  };
}

export function aPasskey(given: Partial<Passkey> & Pick<Passkey, 'userId'>): Passkey {
  return {
    id: newId(),
    name: 'Laptop',
    credentialId: newId(),
    publicKey: 'cHVibGljIGtleQ',
    counter: 0,
    transports: ['internal'],
    isBackedUp: false,
    createdAt: SOME_INSTANT,
    lastUsedAt: null,
    ...given,
  };
}

export function anIdentityProvider(
  given: Partial<IdentityProvider> & Pick<IdentityProvider, 'owner'>,
): IdentityProvider {
  return {
    id: newId(),
    name: 'Directory',
    issuer: 'https://id.example',
    clientId: 'fleetsift',
    domains: [],
    provisions: false,
    permissions: [],
    groupsClaim: null,
    groups: [],
    trustsMfa: false,
    acrValues: [],
    createdAt: SOME_INSTANT,
    ...given,
  };
}

/** A signed-in person, with system-wide access unless a scope is given. */
export function aCaller(given: Partial<Caller> = {}): Caller {
  return {
    userId: newId(),
    credential: {
      kind: 'session',
      sessionId: 'a-session',
      authEpoch: 1,
      isMfaEnrolled: false,
      mfaVerifiedAt: null,
    },
    scope: SYSTEM_SCOPE,
    permissions: new Set(),
    isPlatformAdmin: false,
    ...given,
  };
}

/** A call by the caller. */
export function aCall(caller: Partial<Caller> = {}, given: Partial<Omit<Call, 'caller'>> = {}): Call {
  return { caller: aCaller(caller), requestId: 'request-1', ip: '192.0.2.7', ...given };
}
