/** The place of a record in a load file. */
import type { LocatedRecord } from '#application/ports/fleet/fleet-writer.ts';

/** The line and the member of a {@link LocatedRecord}. */
export type RecordPlace = Pick<LocatedRecord, 'line' | 'member'>;
