import type { ApplicationError } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import { type NameReader, nameKey } from '#application/ports/names.ts';
import type { FilterVersion, SavedFilter } from '#domain/filter/saved-filter.ts';
import type { UserId } from '#domain/ids.ts';
import { ok, type Result } from '#domain/result.ts';

/** `creatorName` is null if the person is erased or out of reach. */
export interface NamedFilter extends SavedFilter {
  readonly creatorName: string | null;
}

/** `changerName` is null if the person is unknown, erased or out of reach. */
export interface NamedVersion extends FilterVersion {
  readonly changerName: string | null;
}

export interface NameCreator {
  one(
    call: Call,
    filter: Result<SavedFilter, ApplicationError>,
  ): Promise<Result<NamedFilter, ApplicationError>>;
  /** Looks up each person only once. */
  each(call: Call, filters: AsyncIterable<SavedFilter>): AsyncIterable<NamedFilter>;
  eachVersion(call: Call, versions: AsyncIterable<FilterVersion>): AsyncIterable<NamedVersion>;
}

export function makeNameCreator({ names }: { readonly names: NameReader }): NameCreator {
  async function nameOf({ caller: { scope } }: Call, id: UserId): Promise<string | null> {
    const person = { kind: 'user', id } as const;
    return (await names.namesOf(scope, [person])).get(nameKey(person)) ?? null;
  }
  function remembering(call: Call): (id: UserId) => Promise<string | null> {
    const known = new Map<UserId, Promise<string | null>>();
    return (id) => {
      const name = known.get(id) ?? nameOf(call, id);
      known.set(id, name);
      return name;
    };
  }
  return {
    one: async (call, filter) =>
      filter.ok ? ok({ ...filter.value, creatorName: await nameOf(call, filter.value.createdBy) }) : filter,
    async *each(call, filters) {
      const nameOnce = remembering(call);
      for await (const filter of filters) {
        yield { ...filter, creatorName: await nameOnce(filter.createdBy) };
      }
    },
    async *eachVersion(call, versions) {
      const nameOnce = remembering(call);
      for await (const version of versions) {
        const { changedBy } = version;
        yield { ...version, changerName: changedBy === null ? null : await nameOnce(changedBy) };
      }
    },
  };
}
