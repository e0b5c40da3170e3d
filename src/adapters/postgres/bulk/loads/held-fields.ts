/** Keeps the custom fields of a load's owners to the load alone. */
import type { PoolClient } from 'pg';

/**
 * Until the load ends, nobody defines custom fields for the owners that it brings some for. Called before any row is
 * locked: whoever defines one takes this lock first (`transactional/fleet/custom-field-store.ts`).
 */
export async function holdCustomFields(client: PoolClient): Promise<void> {
  await client.query(
    `select pg_advisory_xact_lock(hashtextextended('custom fields of ' || owner, 0))
     from (select distinct coalesce(org_id, partner_id)::text as owner from staged_custom_field order by owner) s`,
  );
}
