import type { Id } from '#domain/ids.ts';

/** A new UUIDv7 with every call, in lower case; ids sort by creation time (Contract: §1). */
export type IdGenerator = <K extends string>() => Id<K>;
