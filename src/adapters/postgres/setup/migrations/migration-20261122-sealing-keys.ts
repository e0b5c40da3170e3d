/** The keys that secrets of this database are sealed with, each with a canary: a text that only its key opens. */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261122SealingKeys extends Migration {
  override name = 'Migration20261122SealingKeys';

  override up(): void {
    this.addSql('create table sealing_key (key_id text collate "C" primary key, canary text not null)');
  }
}
