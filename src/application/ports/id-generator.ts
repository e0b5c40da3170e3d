/** Ids for new rows: UUIDv7, unique, and sorted by creation time (Contract: §1). */
import type { Id } from '#domain/ids.ts';

/** A new id with every call; in lower case. */
export type IdGenerator = <K extends string>() => Id<K>;
