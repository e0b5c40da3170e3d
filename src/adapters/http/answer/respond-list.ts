/** Answers lists page by page. A cursor is a signed position, valid for one user, list and query (Contract: §10). */
import type { HttpContext } from '#adapters/http/http-env.ts';
import { type QuerySchema, readQuery } from '#adapters/http/read/read-query.ts';
import { type ApplicationError, INVALID_CURSOR } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import type { CursorSigner } from '#application/ports/cursor-signer.ts';
import type { Result } from '#domain/result.ts';
import { orRefuse, Refusal } from './refusal.ts';
import { respondResult } from './respond.ts';

export type PrintCursor<Position> = (position: Position) => string;

/** A cursor stays valid if `limit` or `count` changes from page to page. */
interface PageQuery {
  readonly cursor: string | null;
  readonly limit: number;
  readonly count?: boolean;
}

export type RespondList = <Query extends PageQuery, Position, Found>(
  c: HttpContext & { get(key: 'call'): Call },
  list: string,
  schema: QuerySchema<Query>,
  /** `after` is null for the first page. */
  read: (
    call: Call,
    query: Omit<Query, 'cursor'> & { readonly after: Position | null },
  ) => Promise<Result<Found, ApplicationError>>,
  present: (found: Found, print: PrintCursor<Position>) => string,
) => Promise<Response>;

/** A cursor's position is not validated again, because only this service can sign one. */
export function makeRespondList(signer: CursorSigner): RespondList {
  return async (c, list, schema, read, present) => {
    const call = c.get('call');
    const { cursor, ...wanted } = orRefuse(readQuery(c, schema));
    const { limit: _, count: __, ...bound } = wanted;
    const boundTo = JSON.stringify([list, call.caller.userId, bound]);
    const after = cursor === null ? 'null' : signer.open(cursor, boundTo);
    if (after === null) throw new Refusal(INVALID_CURSOR);
    const found = await read(call, { ...wanted, after: JSON.parse(after) });
    return respondResult(c, found, (page) =>
      present(page, (position) => signer.seal(JSON.stringify(position), boundTo)),
    );
  };
}
