import type { FilterRecord, Owner, ScriptRecord } from '#domain/fleet/fleet-record.ts';
import { DAY_MS, type EpochMs } from '#domain/time.ts';
import { CONTENT } from './demo-data.ts';
import { stableId } from './seeded-random.ts';

export function filterRecords(now: EpochMs): readonly FilterRecord[] {
  return CONTENT.filters.map(({ organization, createdBy, name, description, conditions }) => ({
    kind: 'filter',
    partnerId: null,
    id: stableId('filter', `${organization}/${name}`),
    orgId: stableId('organization', organization),
    name,
    description,
    conditions: JSON.parse(
      JSON.stringify(conditions)
        .replace(/\{day:(-?\d+)\}/g, (_, days) => isoDay(now + Number(days) * DAY_MS))
        .replace(/\{site:([^}]+)\}/g, (_, site) => stableId('site', site)),
    ),
    createdBy: stableId('user', createdBy),
  }));
}

export function scriptRecords(): readonly ScriptRecord[] {
  const { partner, organization } = CONTENT.scripts;
  const records = (ownerOf: (key: string) => Owner, scripts: typeof organization) =>
    Object.entries(scripts).flatMap(([key, ofOwner]) =>
      ofOwner.map(([name, description]): ScriptRecord => {
        return {
          kind: 'script',
          id: stableId('script', `${key}/${name}`),
          owner: ownerOf(key),
          name,
          description,
        };
      }),
    );
  return [
    ...records((key) => ({ kind: 'partner', partnerId: stableId('partner', key) }), partner),
    ...records((key) => ({ kind: 'organization', orgId: stableId('organization', key) }), organization),
  ];
}

export function isoDay(at: EpochMs): string {
  return new Date(at).toISOString().slice(0, 10);
}
