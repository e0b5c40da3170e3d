/**
 * Sessions of browsers: a cookie that was replaced a moment ago leads to the one that replaced it, by a salt, and a
 * session says when and from where it was last used. The planner keeps no samples of that (see `NoStatistics`).
 */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261122BrowserSessions extends Migration {
  override name = 'Migration20261122BrowserSessions';

  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS: readonly string[] = [
  `alter table session
    add column last_used_at timestamptz(3),
    add column ip text check (length(ip) <= 64),
    add column user_agent text check (length(user_agent) <= 256)`,
  // The owner is subject to row-level security as well, and has no scope here.
  'alter table session no force row level security',
  'update session set last_used_at = created_at',
  'alter table session force row level security',
  'alter table session alter column last_used_at set not null',
  'alter table session alter column ip set statistics 0',
  'alter table session alter column user_agent set statistics 0',
  'alter table refresh_token add column salt text',
  'alter table refresh_token alter column salt set statistics 0',
];
