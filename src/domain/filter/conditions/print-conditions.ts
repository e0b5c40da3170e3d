import { joinPieces, type Pieces } from '#domain/text/pieces.ts';
import type { Condition, ConditionGroup } from './condition.ts';
import { foldConditions } from './fold-conditions.ts';

/**
 * One line for logs and reviews: `status equals "online" AND (tags hasAny ["vpn"] OR ...)`. It cannot be parsed back.
 */
export function printConditions(root: ConditionGroup): string {
  const pieces = foldConditions<Condition, Pieces>(root, {
    condition: printCondition,
    group: (group, members) => {
      const joined = members.flatMap((member, i) => (i === 0 ? [member] : [` ${group.operator} `, member]));
      return members.length > 1 && group !== root ? ['(', joined, ')'] : joined;
    },
  });
  return joinPieces(pieces);
}

function printCondition({ field, operator, value }: Condition): string {
  return value === undefined || value === null
    ? `${field.key} ${operator}`
    : `${field.key} ${operator} ${JSON.stringify(value)}`;
}
