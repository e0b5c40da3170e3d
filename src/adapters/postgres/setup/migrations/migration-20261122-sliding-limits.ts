/**
 * Rate limits slide: a counter holds the instant of each attempt instead of their number. Counters are worth five
 * minutes at most, so those of before start anew.
 */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261122SlidingLimits extends Migration {
  override name = 'Migration20261122SlidingLimits';

  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS: readonly string[] = [
  // Not a delete, which would see no rows under row-level security.
  'truncate rate_limit',
  `alter table rate_limit
    drop column points,
    -- Milliseconds since the epoch, oldest first.
    add column attempts bigint[] not null,
    -- Whether the last attempt was refused, and the refusal recorded.
    add column is_refusing boolean not null`,
];
