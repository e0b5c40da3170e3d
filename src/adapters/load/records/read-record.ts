import * as v from 'valibot';
import type { FaultList, RecordPlace } from '#adapters/load/fault-list.ts';
import type { FleetRecord } from '#domain/fleet/fleet-record.ts';
import { apiKeySchema, enrolmentKeySchema, userSchema } from './account-schemas.ts';
import { auditEntrySchema } from './audit-entry-schema.ts';
import { deletionRequestSchema } from './deletion-request-schema.ts';
import {
  alertSchema,
  customFieldSchema,
  filterSchema,
  organizationSchema,
  partnerSchema,
  scriptSchema,
  siteSchema,
} from './fleet-schemas.ts';
import { readDevice } from './read-device.ts';
import type { RecordKind } from './record-kinds.ts';
import { pathSegment } from './value-faults.ts';

export function readRecord(
  kind: RecordKind,
  value: unknown,
  { line, member }: RecordPlace,
  faults: FaultList,
): FleetRecord | null {
  if (kind === 'device') {
    const device = readDevice(value, (path, message) => faults.add({ line, member: member + path, message }));
    return faults.isEmpty ? device : null;
  }
  const parsed = v.safeParse<v.GenericSchema<unknown, FleetRecord>>(
    SCHEMA_OF_KIND[kind],
    value,
    ONE_FAULT_A_VALUE,
  );
  if (parsed.success) return parsed.output;
  for (const { path = [], message } of parsed.issues) {
    const segments = path.map(({ key }) => pathSegment(key as string | number));
    faults.add({ line, member: member + segments.join(''), message });
  }
  return null;
}

type SchemaOfKind = {
  readonly [K in Exclude<RecordKind, 'device'>]: v.GenericSchema<unknown, FleetRecord & { readonly kind: K }>;
};

const SCHEMA_OF_KIND: SchemaOfKind = {
  partner: partnerSchema,
  organization: organizationSchema,
  site: siteSchema,
  user: userSchema,
  apiKey: apiKeySchema,
  enrolmentKey: enrolmentKeySchema,
  customField: customFieldSchema,
  script: scriptSchema,
  alert: alertSchema,
  filter: filterSchema,
  deletionRequest: deletionRequestSchema,
  auditEntry: auditEntrySchema,
};

const ONE_FAULT_A_VALUE = { abortPipeEarly: true } as const;
