/** One device with the rows around it (Contract: §10). */
import { type Sql, sql } from '#adapters/postgres/reads/sql/literal.ts';
import { scopeCondition } from '#adapters/postgres/reads/sql/scope-condition.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';

/** The device with the id `$1`: at most one row of `DeviceDetailsRow`. Lists come in the order that the port gives. */
export function deviceById(scope: AccessScope): Sql {
  return sql`select d.id, d.org_id, d.site_id, d.hostname, d.display_name, d.status::text, d.os_type::text, d.os_version,
      d.os_build, d.architecture::text, d.agent_version, d.enrolled_at, d.last_seen_at, d.last_seen_ip, d.tags,
      d.device_role::text, d.last_user, d.is_headless, d.uptime_seconds, d.watchdog_status::text, d.quarantined_at,
      d.reboot_required, d.cpu_percent, d.ram_percent, d.disk_percent, d.custom, d.pending_patches, d.critical_alerts,
      h.manufacturer, h.model, h.serial_number, h.cpu_model, h.gpu_model, h.cpu_cores, h.ram_total_mb, h.disk_total_gb,
      o.name as organization_name, w.name as site_name,
      (select json_agg(json_build_object('ipAddress', n.ip_address, 'publicIp', n.public_ip,
          'macAddress', n.mac_address) order by n.position)
        from device_network n where n.device_id = d.id) as network,
      (select json_agg(json_build_object('name', t.name, 'version', i.version) order by t.name)
        from device_software s cross join unnest(s.title_ids, s.versions) i(title_id, version)
        join software_title t on t.id = i.title_id where s.device_id = d.id) as software,
      (select json_agg(json_build_object('title', p.title, 'status', p.status)
          order by p.title collate "C", p.status)
        from patch p where p.device_id = d.id) as patches,
      (select json_agg(json_build_object('id', a.id, 'title', a.title, 'message', a.message, 'severity', a.severity,
          'status', a.status, 'createdAt', floor(extract(epoch from a.created_at) * 1000))
          order by a.severity, a.id)
        from alert a where a.device_id = d.id and a.status = 'active') as alerts
    from device d join organization o on o.id = d.org_id left join site w on w.id = d.site_id
    left join device_hardware h on h.device_id = d.id
    where ${scopeCondition(scope, sql`d.org_id`)} and d.id = $1::uuid`;
}
