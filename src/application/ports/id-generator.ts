import type { Id } from '#domain/ids.ts';

/** A new UUIDv7 in lower case. Ids sort by creation time (Contract: §1). */
export type IdGenerator = <K extends string>() => Id<K>;
