/** Finds possible duplicates (Contract: §10). */
import { type Sql, sql } from '#adapters/postgres/reads/sql/literal.ts';
import { scopeCondition } from '#adapters/postgres/reads/sql/scope-condition.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';

/**
 * Rows of (id, org_id, kind, key): all keys of each device that shares a key or its host name with another
 * device of its organization. MAC addresses have no separators. The domain drops placeholder keys.
 */
export function keySharers(scope: AccessScope): Sql {
  const inScope = (alias: Sql) => scopeCondition(scope, sql`${alias}.org_id`);
  return sql`with device_key as materialized (
      select d.id, d.org_id, 'hostname' as kind, d.hostname_lc as key from device_names d where ${inScope(sql`d`)}
      union all
      select h.device_id, h.org_id, 'serial', coalesce(h.serial_number_lc, h.serial_number)
      from device_hardware h where ${inScope(sql`h`)} and h.serial_number is not null
      union all
      select d.id, d.org_id, 'uuid', d.system_uuid from device d where ${inScope(sql`d`)} and d.system_uuid is not null
      union all
      select n.device_id, n.org_id, 'mac', lower(translate(n.mac_address, ':-.', ''))
      from device_network n where ${inScope(sql`n`)} and n.mac_address is not null
      union all
      select k.device_id, k.org_id, k.kind::text, case k.kind when 'mac' then translate(k.key, ':', '') else k.key end
      from device_known_key k where ${inScope(sql`k`)}
    ), shared as (
      select org_id, kind, key from device_key group by org_id, kind, key having count(*) > 1
    ), sharer as (
      select distinct k.id from device_key k join shared using (org_id, kind, key)
    )
    select k.id, k.org_id, k.kind, k.key from device_key k join sharer using (id)`;
}
