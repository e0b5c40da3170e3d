/** Every migration, in the order in which they run. A migration that has been released is never changed. */
import { Migration20261120Fleet } from './migration-20261120-fleet.ts';

export const MIGRATIONS = [Migration20261120Fleet] as const;
