import type { ApplicationError } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import { type NameReader, nameKey } from '#application/ports/names.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import type { UserId } from '#domain/ids.ts';
import { ok, type Result } from '#domain/result.ts';

/** A saved filter with the name of who made it; null if they are erased or out of the caller's reach. */
export interface NamedFilter extends SavedFilter {
  readonly creatorName: string | null;
}

export interface NameCreator {
  one(
    call: Call,
    filter: Result<SavedFilter, ApplicationError>,
  ): Promise<Result<NamedFilter, ApplicationError>>;
  /** Looks each person up once. */
  each(call: Call, filters: AsyncIterable<SavedFilter>): AsyncIterable<NamedFilter>;
}

export function makeNameCreator({ names }: { readonly names: NameReader }): NameCreator {
  async function nameOf({ caller: { scope } }: Call, id: UserId): Promise<string | null> {
    const person = { kind: 'user', id } as const;
    return (await names.namesOf(scope, [person])).get(nameKey(person)) ?? null;
  }
  return {
    one: async (call, filter) =>
      filter.ok ? ok({ ...filter.value, creatorName: await nameOf(call, filter.value.createdBy) }) : filter,
    async *each(call, filters) {
      const known = new Map<UserId, string | null>();
      for await (const filter of filters) {
        const { createdBy } = filter;
        if (!known.has(createdBy)) known.set(createdBy, await nameOf(call, createdBy));
        yield { ...filter, creatorName: known.get(createdBy) ?? null };
      }
    },
  };
}
