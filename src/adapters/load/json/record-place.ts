import type { LocatedRecord } from '#application/ports/fleet/fleet-writer.ts';

export type RecordPlace = Pick<LocatedRecord, 'line' | 'member'>;
