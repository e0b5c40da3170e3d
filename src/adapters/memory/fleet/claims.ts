import { isOpen } from '#adapters/memory/stores/deletion/deletion-request-store.ts';
import { sha256Of } from '#adapters/memory/tables/users.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import type { DigestSecret } from '#application/ports/auth/digest-secret.ts';
import { ownerIdOf } from '#domain/access/ownership.ts';

import type { FleetRecord } from '#domain/fleet/fleet-record.ts';
import type { UNIQUE } from '#domain/fleet/load-rules.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import type { RecordOf, StagedRows } from './staged-fleet.ts';

/**
 * Returns a function that claims a record's unique value, such as an email, and returns false if another
 * record has it. Stored records that the load replaces do not count.
 */
export function makeClaims(
  world: World,
  digestSecret: DigestSecret,
  rows: StagedRows,
): (record: FleetRecord) => boolean {
  const holders = new Map<string, string>();
  const places = [world.partners, world.organizations, world.sites].flatMap((table) => [...table.values()]);
  const give = (kind: keyof typeof UNIQUE, value: string, id: string) => {
    if (!(rows[kind] as ReadonlyMap<string, object>).has(id)) holders.set(`${kind} ${value}`, id);
  };
  for (const place of places) give(place.kind, placeName(place), place.id);
  for (const { id, email, status } of world.users.values())
    if (status !== 'disabled') give('user', foldCase(email), id);
  for (const { id, sha256 } of world.apiKeys.values()) give('apiKey', sha256, id);
  for (const { id, keySha256 } of world.enrolmentKeys.values()) give('enrolmentKey', keySha256, id);
  for (const field of world.customFields.values()) give('customField', ownedKey(field), field.id);
  for (const { request } of world.deletionRequests.values()) {
    if (isOpen(request)) give('deletionRequest', request.userId, request.id);
  }
  return (record) => {
    const value = claimOf(record, digestSecret);
    if (value === null) return true;
    const name = `${record.kind} ${value}`;
    const holder = holders.get(name) ?? record.id;
    holders.set(name, holder);
    return holder === record.id;
  };
}

function claimOf(record: FleetRecord, digestSecret: DigestSecret): string | null {
  switch (record.kind) {
    case 'partner':
    case 'organization':
    case 'site':
      return placeName(record);
    case 'user':
      return record.status === 'disabled' || record.status === 'deleted' ? null : foldCase(record.email);
    case 'apiKey':
      return sha256Of(record, digestSecret);
    case 'enrolmentKey':
      return record.keySha256;
    case 'customField':
      return ownedKey(record);
    case 'deletionRequest':
      return isOpen(record.request) ? record.request.userId : null;
    default:
      return null;
  }
}

function placeName(place: RecordOf<'partner' | 'organization' | 'site'>): string {
  const parent = place.kind === 'site' ? place.orgId : place.kind === 'organization' ? place.partnerId : '';
  return `${parent} ${foldCase(place.name.trim())}`;
}

function ownedKey({ owner, key }: RecordOf<'customField'>): string {
  return `${ownerIdOf(owner)} ${key}`;
}
