import type { Condition, ConditionGroup } from './condition.ts';
import { foldConditions } from './fold-conditions.ts';

/** Nested pieces, joined once at the end; joining at every level would copy deep trees over and over. */
type Pieces = string | readonly Pieces[];

/**
 * The filter on one line for logs, command lines and reviews: `status equals "online" AND (tags hasAny ["vpn"] OR
 * ...)`. It cannot be parsed back.
 */
export function printConditions(root: ConditionGroup): string {
  const pieces = foldConditions<Condition, Pieces>(root, {
    condition: printCondition,
    group: (group, members) => {
      const joined = members.flatMap((member, i) => (i === 0 ? [member] : [` ${group.operator} `, member]));
      return members.length > 1 && group !== root ? ['(', joined, ')'] : joined;
    },
  });
  return join(pieces);
}

function printCondition({ field, operator, value }: Condition): string {
  return value === undefined || value === null
    ? `${field.key} ${operator}`
    : `${field.key} ${operator} ${JSON.stringify(value)}`;
}

function join(pieces: Pieces): string {
  const out: string[] = [];
  const stack: Pieces[] = [pieces];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    if (typeof top === 'string') out.push(top);
    else for (let i = top.length - 1; i >= 0; i--) stack.push(top[i] ?? '');
  }
  return out.join('');
}
