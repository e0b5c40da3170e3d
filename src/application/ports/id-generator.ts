/** Ids of new rows: UUIDv7, so that they sort by the time they were made (Contract: §1). */
import type { Id } from '#domain/ids.ts';

export type IdGenerator = <K extends string>() => Id<K>;
