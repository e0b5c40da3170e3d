import { isIP } from 'node:net';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import {
  ARCHITECTURES,
  DEVICE_ROLES,
  DEVICE_STATUSES,
  OS_TYPES,
  WATCHDOG_STATUSES,
} from '#domain/device/device.ts';
import {
  ALERT_SEVERITIES,
  ALERT_STATUSES,
  CUSTOM_FIELD_TYPES,
  type FleetRecord,
  PATCH_STATUSES,
} from '#domain/fleet/fleet-record.ts';
import { ofKind } from './fixed-demo.ts';

/** The other kinds occur only in dumps. */
type DemoKind = Exclude<FleetRecord['kind'], 'enrolmentKey' | 'deletionRequest' | 'auditEntry'>;

const uuid = v.pipe(v.string(), v.uuid());
/** Not blank, no NUL, no lone surrogate. */
const text = v.pipe(
  v.string(),
  v.nonEmpty(),
  v.maxLength(300),
  v.check((value) => value.isWellFormed() && value.trim() === value && !value.includes('\0')),
);
const wholeMs = v.pipe(v.number(), v.safeInteger(), v.minValue(Date.UTC(2020, 0)));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
const percent = v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(100));
const address = v.pipe(
  v.string(),
  v.check((value) => isIP(value) !== 0),
);
const email = v.pipe(v.string(), v.email(), v.endsWith('.example'));
const fieldKey = v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_]*$/));
const owner = v.variant('kind', [
  v.strictObject({ kind: v.literal('organization'), orgId: uuid }),
  v.strictObject({ kind: v.literal('partner'), partnerId: uuid }),
]);

const SHAPES = {
  partner: v.strictObject({ kind: v.literal('partner'), id: uuid, name: text }),
  organization: v.strictObject({ kind: v.literal('organization'), id: uuid, partnerId: uuid, name: text }),
  site: v.strictObject({ kind: v.literal('site'), id: uuid, orgId: uuid, name: text }),
  user: v.strictObject({
    kind: v.literal('user'),
    id: uuid,
    email,
    name: text,
    password: v.pipe(v.string(), v.minLength(8), v.maxLength(256)),
    membership: v.variant('scope', [
      v.strictObject({ scope: v.literal('organization'), orgId: uuid }),
      v.strictObject({ scope: v.literal('partner'), partnerId: uuid, orgIds: v.nullable(v.array(uuid)) }),
      v.strictObject({ scope: v.literal('system') }),
    ]),
    permissions: v.array(text),
    isPlatformAdmin: v.boolean(),
    totpSecret: v.nullable(v.pipe(v.string(), v.regex(/^[A-Z2-7]{16,}$/))),
  }),
  apiKey: v.strictObject({
    kind: v.literal('apiKey'),
    id: uuid,
    key: v.pipe(v.string(), v.regex(/^fsk_[A-Za-z0-9_-]{43}$/)),
    userId: uuid,
    name: text,
    orgId: v.nullable(uuid),
    permissions: v.array(text),
    expiresAt: v.nullable(wholeMs),
  }),
  customField: v.strictObject({
    kind: v.literal('customField'),
    id: uuid,
    owner,
    key: fieldKey,
    name: text,
    type: v.picklist(CUSTOM_FIELD_TYPES),
    choices: v.array(text),
  }),
  device: v.strictObject({
    kind: v.literal('device'),
    id: uuid,
    orgId: uuid,
    siteId: v.nullable(uuid),
    hostname: text,
    displayName: v.nullable(text),
    status: v.picklist(DEVICE_STATUSES),
    osType: v.nullable(v.picklist(OS_TYPES)),
    osVersion: v.nullable(text),
    osBuild: v.nullable(text),
    architecture: v.nullable(v.picklist(ARCHITECTURES)),
    agentVersion: v.nullable(v.pipe(v.string(), v.regex(/^\d+\.\d+\.\d+(-beta\.\d+)?$/))),
    enrolledAt: v.nullable(wholeMs),
    lastSeenAt: v.nullable(wholeMs),
    lastSeenIp: v.nullable(address),
    tags: v.pipe(
      v.array(text),
      v.check((tags) => new Set(tags).size === tags.length),
    ),
    deviceRole: v.picklist(DEVICE_ROLES),
    lastUser: v.nullable(text),
    isHeadless: v.nullable(v.boolean()),
    uptimeSeconds: v.nullable(count),
    watchdogStatus: v.nullable(v.picklist(WATCHDOG_STATUSES)),
    quarantinedAt: v.nullable(wholeMs),
    rebootRequired: v.boolean(),
    hardware: v.strictObject({
      manufacturer: v.nullable(text),
      model: v.nullable(text),
      serialNumber: v.nullable(text),
      cpuModel: v.nullable(text),
      gpuModel: v.nullable(text),
      cpuCores: v.nullable(count),
      ramTotalMb: v.nullable(count),
      diskTotalGb: v.nullable(count),
    }),
    metrics: v.strictObject({
      cpuPercent: v.nullable(percent),
      ramPercent: v.nullable(percent),
      diskPercent: v.nullable(percent),
    }),
    network: v.pipe(
      v.array(
        v.strictObject({
          ipAddress: v.nullable(address),
          publicIp: v.nullable(address),
          macAddress: v.nullable(v.pipe(v.string(), v.regex(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/))),
        }),
      ),
      v.maxLength(3),
    ),
    software: v.pipe(
      v.array(v.strictObject({ name: text, version: v.nullable(text) })),
      v.maxLength(25),
      v.check((titles) => new Set(titles.map(({ name }) => name)).size === titles.length),
    ),
    volumes: v.array(
      v.strictObject({ name: text, filesystem: text, totalGb: v.number(), freeGb: v.number() }),
    ),
    patches: v.nullable(
      v.array(v.strictObject({ id: v.nullable(uuid), title: text, status: v.picklist(PATCH_STATUSES) })),
    ),
    custom: v.map(fieldKey, v.nullable(v.union([text, v.number(), v.boolean()]))),
  }),
  script: v.strictObject({
    kind: v.literal('script'),
    id: uuid,
    owner,
    name: text,
    description: v.nullable(text),
  }),
  alert: v.strictObject({
    kind: v.literal('alert'),
    id: uuid,
    orgId: uuid,
    deviceId: v.nullable(uuid),
    title: text,
    message: v.nullable(text),
    severity: v.picklist(ALERT_SEVERITIES),
    status: v.picklist(ALERT_STATUSES),
    createdAt: wholeMs,
  }),
  filter: v.strictObject({
    kind: v.literal('filter'),
    id: uuid,
    orgId: uuid,
    partnerId: v.null(),
    name: v.pipe(text, v.maxLength(200)),
    description: v.nullable(text),
    conditions: v.record(v.string(), v.unknown()),
    createdBy: uuid,
  }),
} as const satisfies Record<DemoKind, v.GenericSchema>;

test.each(Object.keys(SHAPES) as DemoKind[])('every record of kind %s is well formed', (kind) => {
  const records = ofKind(kind);
  const faults = records.flatMap((record) => {
    const { success, issues } = v.safeParse(SHAPES[kind], record);
    return success ? [] : [{ id: record.id, faults: issues.map((one) => [v.getDotPath(one), one.message]) }];
  });
  expect(records.length).toBeGreaterThan(0);
  expect(faults).toStrictEqual([]);
});

test('no two users share an email', () => {
  const emails = ofKind('user').map((user) => user.email.toLowerCase());
  expect(new Set(emails).size).toBe(emails.length);
});

test('no owner has two custom fields with the same key', () => {
  const keys = ofKind('customField').map(({ owner: whose, key }) => JSON.stringify([whose, key]));
  expect(new Set(keys).size).toBe(keys.length);
});

test('dropdown fields have choices, and other fields have none', () => {
  const wrong = ofKind('customField').filter(
    ({ type, choices }) => (type === 'dropdown') !== choices.length > 0,
  );
  expect(wrong).toStrictEqual([]);
});
