import { type Id, parseId } from '#domain/ids.ts';

const FIRST_ID_MS = Date.UTC(2023, 0, 1);

const ID_KINDS = {
  partner: 1,
  organization: 2,
  user: 3,
  'api-key': 4,
  device: 5,
  patch: 6,
  alert: 7,
  script: 8,
} as const;

/** A UUIDv7 that is the same in every run and ascends with `n`. */
export function fleetId<K extends keyof typeof ID_KINDS>(kind: K, n: number): Id<K> {
  const time = (FIRST_ID_MS + n * 1_000).toString(16).padStart(12, '0');
  const tail = Math.imul(n + 1, 0x9e3779b1) >>> 0;
  const id = parseId<K>(
    `${time.slice(0, 8)}-${time.slice(8)}-7${hex(ID_KINDS[kind], 3)}-8${hex(tail & 0xfff, 3)}-${hex(tail, 8)}${hex(n & 0xffff, 4)}`,
  );
  if (id === null) throw new Error(`no id can be made from ${n}`);
  return id;
}

function hex(n: number, digits: number): string {
  return n.toString(16).padStart(digits, '0');
}
