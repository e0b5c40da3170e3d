/** The networks that people sign in from: a stranger elsewhere cannot use up the attempts of these. */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261122OwnNetworks extends Migration {
  override name = 'Migration20261122OwnNetworks';

  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS: readonly string[] = [
  `create table own_network (
    user_id uuid not null references app_user on delete cascade,
    -- A /24 of IPv4, a /64 of IPv6, in canonical form.
    network text collate "C" not null,
    last_at timestamptz(3) not null,
    primary key (user_id, network)
  )`,
];
