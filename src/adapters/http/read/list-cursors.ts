/** Cursors of lists: signed places, each for one user, one list and one query (Contract: §10). */
import { type ApplicationError, INVALID_CURSOR } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import type { CursorSigner } from '#application/ports/cursor-signer.ts';
import { err, ok, type Result } from '#domain/result.ts';

/** Where a page begins, and how the next one is named. */
export interface ListPlace<Position> {
  /** Null for the first page. */
  readonly after: Position | null;
  readonly print: PrintCursor<Position>;
}

export type PrintCursor<Position> = (position: Position) => string;

/** What a page asks for. Its size and its count may differ from those of the page before. */
interface PageQuery {
  readonly cursor: string | null;
  readonly limit: number;
  readonly count?: boolean;
}

export type FindPlace = <Position>(
  call: Pick<Call, 'caller'>,
  list: string,
  query: PageQuery,
) => Result<ListPlace<Position>, ApplicationError>;

/** A position is printed as JSON. The signature vouches for it, so it is not checked again. */
export function makeFindPlace(signer: CursorSigner): FindPlace {
  return ({ caller }, list, { cursor, limit: _, count: __, ...query }) => {
    const boundTo = JSON.stringify([list, caller.userId, query]);
    const text = cursor === null ? 'null' : signer.open(cursor, boundTo);
    if (text === null) return err(INVALID_CURSOR);
    return ok({
      after: JSON.parse(text),
      print: (position) => signer.seal(JSON.stringify(position), boundTo),
    });
  };
}
