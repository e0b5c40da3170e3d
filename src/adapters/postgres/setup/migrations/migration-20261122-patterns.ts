/**
 * The collation `patterns`, by which regular expressions tell letters, digits and case apart: as Unicode has them,
 * whatever the locale of the database. In one with the locale C, `\w` would be ASCII alone. An index serves an
 * expression of its own collation only, so that of host names is built anew.
 */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261122Patterns extends Migration {
  override name = 'Migration20261122Patterns';

  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS: readonly string[] = [
  // PostgreSQL has a C.UTF-8 of its own since 17; before, most systems have one, and ICU comes close.
  `do $$ begin
     if current_setting('server_version_num')::int >= 170000 then
       create collation patterns (provider = builtin, locale = 'C.UTF-8');
     else
       begin
         create collation patterns (provider = libc, locale = 'C.UTF-8');
       exception when others then
         create collation patterns (provider = icu, locale = 'und');
       end;
     end if;
   end $$`,
  `comment on collation patterns is 'Letters, digits and case in regular expressions, whatever the locale of the database'`,
  'drop index device_hostname_trgm',
  `create index device_hostname_trgm on device using gin (hostname collate patterns gin_trgm_ops)
   with (fastupdate = off)`,
];
