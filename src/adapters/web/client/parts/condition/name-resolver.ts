import type { ResolveName } from '#domain/filter/text/parse/read-term.ts';

export interface Named {
  readonly id: string;
  readonly name: string;
}

/** Finds ids by name, whole and in any case, as the server does. */
export function nameResolver(organizations: readonly Named[], sites: readonly Named[]): ResolveName {
  return ({ key }, name) =>
    (key === 'siteId' ? sites : organizations)
      .filter((one) => one.name.toLowerCase() === name.toLowerCase())
      .map(({ id }) => id);
}
