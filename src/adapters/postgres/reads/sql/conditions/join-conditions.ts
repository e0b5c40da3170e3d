/**
 * Shallow trees become plain `and` and `or`, which can use indexes. PostgreSQL refuses some 3,300 nested parentheses,
 * so deep trees become flat CASE chains that decide from left to right. The largest member of a group continues the
 * chain. Only smaller members are nested, so the depth is at most the logarithm of the number of criteria.
 */
import type { Sql } from '#adapters/postgres/reads/sql/literal.ts';
import type { GroupOperator } from '#domain/filter/conditions/condition.ts';
import { overlaps } from './software.ts';

/** A deeper tree becomes a CASE chain. */
const MAX_PLAIN_DEPTH = 64;

/** SQL in pieces, because concatenating at each level would copy a deep tree again and again. */
type Text = string | readonly Text[];

export type Piece =
  | {
      readonly kind: 'plain';
      readonly text: Text;
      readonly depth: number;
      readonly size: number;
      readonly ids?: readonly number[] | null;
    }
  | { readonly kind: 'chain'; readonly arms: Text; readonly otherwise: Text; readonly size: number };

/** Merges the software criteria of an `or`, so that one index look-up serves all of them. */
function joinSoftware(members: readonly Piece[]): readonly Piece[] {
  const idsOf = (piece: Piece) => (piece.kind === 'plain' ? (piece.ids ?? null) : null);
  const lists = members.map(idsOf).filter((ids) => ids !== null);
  if (lists.length < 2) return members;
  const ids = lists.flat();
  const joined: Piece = { kind: 'plain', text: overlaps(ids), depth: 0, size: 1, ids };
  return [joined, ...members.filter((member) => idsOf(member) === null)];
}

export function joinConditions(operator: GroupOperator, conditions: readonly Piece[]): Piece {
  const members = operator === 'OR' ? joinSoftware(conditions) : conditions;
  const [only] = members;
  if (only !== undefined && members.length === 1) return only;
  if (members.length === 0) {
    return { kind: 'plain', text: operator === 'AND' ? 'true' : 'false', depth: 0, size: 1 };
  }
  const size = members.reduce((sum, member) => sum + member.size, 0);
  const depth = Math.max(
    ...members.map((member) => (member.kind === 'plain' ? member.depth : MAX_PLAIN_DEPTH)),
  );
  if (depth < MAX_PLAIN_DEPTH && members.every(({ kind }) => kind === 'plain')) {
    return {
      kind: 'plain',
      text: ['(', separate(members.map(expression), ` ${operator.toLowerCase()} `), ')'],
      depth: depth + 1,
      size,
    };
  }
  const heaviest = members.reduce((a, b) => (b.size > a.size ? b : a));
  const others = members.filter((member) => member !== heaviest).map(expression);
  // A false member decides an `and`, a true member an `or`. If no other member decides, the heaviest does.
  const decided =
    others.length === 0
      ? []
      : operator === 'AND'
        ? [' when (', separate(others, ' and '), ') is not true then false']
        : [' when ', separate(others, ' or '), ' then true'];
  return heaviest.kind === 'chain'
    ? { kind: 'chain', arms: [decided, heaviest.arms], otherwise: heaviest.otherwise, size }
    : { kind: 'chain', arms: decided, otherwise: heaviest.text, size };
}

function expression(piece: Piece): Text {
  return piece.kind === 'plain' ? piece.text : ['(case', piece.arms, ' else ', piece.otherwise, ' end)'];
}

function separate(texts: readonly Text[], separator: string): Text {
  return texts.flatMap((text, i) => (i === 0 ? [text] : [separator, text]));
}

export function toText(piece: Piece): Sql {
  const out: string[] = [];
  const stack: Text[] = [expression(piece)];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    if (typeof top === 'string') out.push(top);
    else for (let i = top.length - 1; i >= 0; i--) stack.push(top[i] ?? '');
  }
  return out.join('') as Sql;
}

export function plain(text: Sql): Piece {
  return { kind: 'plain', text, depth: 0, size: 1 };
}
