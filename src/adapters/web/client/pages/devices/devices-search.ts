export interface DevicesSearch {
  readonly q?: string;
  /** In the API's form, such as `-lastSeenAt`. */
  readonly sort?: string;
  /** Column ids separated by commas; absent: the default columns. */
  readonly columns?: string;
}

export function parseDevicesSearch({ q, sort, columns }: Record<string, unknown>): DevicesSearch {
  return { ...member('q', q), ...member('sort', sort), ...member('columns', columns) };
}

/** The router reads numbers and booleans as such; here they are text. */
function member(name: keyof DevicesSearch, value: unknown): DevicesSearch {
  const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isText && value !== '' ? { [name]: String(value) } : {};
}

/** Milliseconds after the last key before the list follows the filter. */
export const TYPING_PAUSE_MS = 350;

/** Longer while the text does not parse: it may be half a word. */
export const FAULTY_TYPING_PAUSE_MS = 1200;
