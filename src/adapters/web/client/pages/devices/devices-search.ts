/** What the address of the list holds, beside the organization (Contract: §14). */

export interface DevicesSearch {
  /** The filter as text. */
  readonly q?: string;
  /** As the API takes it, for example `-lastSeenAt`. */
  readonly sort?: string;
  /** The ids of the columns in their order, separated by commas; absent: the usual ones. */
  readonly columns?: string;
}

export function parseDevicesSearch({ q, sort, columns }: Record<string, unknown>): DevicesSearch {
  return { ...member('q', q), ...member('sort', sort), ...member('columns', columns) };
}

/** Addresses hold numbers and words such as `true`, which are texts here. */
function member(name: keyof DevicesSearch, value: unknown): DevicesSearch {
  const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isText && value !== '' ? { [name]: String(value) } : {};
}

/** Milliseconds after the last key until the list follows the filter. */
export const TYPING_PAUSE_MS = 350;

/** What cannot be read as it stands may be half a word, which gets more time. */
export const FAULTY_TYPING_PAUSE_MS = 1200;
