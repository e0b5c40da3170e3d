/** Kinds of records, and their members in the JSON document (Contract: §9, "The load file"). */
import type { FleetRecord } from '#domain/fleet/fleet-record.ts';

export type RecordKind = FleetRecord['kind'];

const COLLECTION_OF_KIND = {
  partner: 'partners',
  organization: 'organizations',
  site: 'sites',
  user: 'users',
  apiKey: 'apiKeys',
  enrolmentKey: 'enrolmentKeys',
  customField: 'customFields',
  device: 'devices',
  script: 'scripts',
  alert: 'alerts',
  filter: 'filters',
  deletionRequest: 'deletionRequests',
  auditEntry: 'auditEntries',
} as const satisfies Record<RecordKind, string>;

export const RECORD_KINDS = Object.keys(COLLECTION_OF_KIND) as readonly RecordKind[];

export const KIND_OF_COLLECTION: ReadonlyMap<string, RecordKind> = new Map(
  RECORD_KINDS.map((kind) => [COLLECTION_OF_KIND[kind], kind]),
);

export function isRecordKind(value: unknown): value is RecordKind {
  return typeof value === 'string' && Object.hasOwn(COLLECTION_OF_KIND, value);
}
