/** An index by which all scripts in scope of an organization, its partner's among them, are found by searches. */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261122ScriptsOfPartners extends Migration {
  override name = 'Migration20261122ScriptsOfPartners';

  override up(): void {
    this.addSql('create index script_search_partner on script_search (partner_id) where not is_odd');
  }
}
