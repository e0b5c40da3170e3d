/**
 * No search and no filter looks for versions but beside their titles, so no plan depends on statistics of them; and to
 * gather these takes as long as those of all other columns of a device's software together.
 */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261123Versions extends Migration {
  override name = 'Migration20261123Versions';

  override up(): void {
    this.addSql('alter table device_software alter column versions set statistics 0');
  }
}
