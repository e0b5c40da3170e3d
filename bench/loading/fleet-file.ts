import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FleetRecord } from '#domain/fleet/fleet-record.ts';
import type { FleetPlan } from '../fleet/fleet-plan.ts';
import { fleetRecords } from '../fleet/fleet-records.ts';

type Change = (record: FleetRecord) => FleetRecord;

/** Writes NDJSON. */
export async function writeFleetFile(
  plan: FleetPlan,
  path: string,
  change: Change = (record) => record,
): Promise<void> {
  await pipeline(Readable.from(lines(plan, change)), createWriteStream(path));
}

function* lines(plan: FleetPlan, change: Change): Generator<string> {
  for (const { record } of fleetRecords(plan)) yield `${JSON.stringify(toMembers(change(record)))}\n`;
}

/** Leaves out absent members. */
function toMembers(record: FleetRecord): object {
  switch (record.kind) {
    case 'user': {
      const { membership, ...members } = record;
      return withInstants({ ...members, ...membership });
    }
    case 'script': {
      const { owner, ...members } = record;
      const { kind: _kind, ...ids } = owner;
      return { ...members, ...ids };
    }
    case 'device':
      return withInstants({ ...record, custom: Object.fromEntries(record.custom) });
    default:
      return withInstants(record);
  }
}

const INSTANTS = ['enrolledAt', 'lastSeenAt', 'quarantinedAt', 'createdAt', 'expiresAt', 'reportsSince'];

function withInstants(members: object): object {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name,
      INSTANTS.includes(name) && typeof value === 'number' ? new Date(value).toISOString() : value,
    ]),
  );
}
