/** Rows that version 0.1.0 could write: two organizations, each with one of everything. */
export const ORGANIZATIONS: readonly string[] = ['a', 'b'].map((letter) => idOf(letter, 2));

/** The deviceid of the first organization's device. */
export const INVENTORY_ID = 'desk-a-2026-01-01';

export const FIRST_ROWS = `do $$ begin
${['a', 'b'].map(rowsOf).join('\n')}
  insert into device_inventory_id (device_id, org_id, inventory_id) select id, org_id, hostname_lc || '-2026-01-01' from device;
  insert into organization_software (title_id, org_id, name_lc)
  select t.id, s.org_id, t.name_lc from device_software s join software_title t on t.id = any(s.title_ids);
end $$`;

function rowsOf(letter: string): string {
  const id = (n: number) => `'${idOf(letter, n)}'`;
  const now = `'2026-01-01T00:00:00Z'`;
  return `
  insert into partner values (${id(1)}, 'Partner ${letter}');
  insert into organization values (${id(2)}, ${id(1)}, 'Organization ${letter}');
  insert into site values (${id(3)}, ${id(2)}, 'Site');
  insert into app_user (id, email, email_lc, name, scope, org_id, created_at, updated_at)
    values (${id(4)}, 'Jo@${letter}.example', 'jo@${letter}.example', 'Jo', 'organization', ${id(2)}, ${now}, ${now});
  insert into app_user (id, email, email_lc, name, scope, partner_id, has_org_subset, created_at, updated_at)
    values (${id(5)}, 'pat@${letter}.example', 'pat@${letter}.example', 'Pat', 'partner', ${id(1)}, true, ${now}, ${now});
  insert into app_user_organization values (${id(5)}, ${id(2)});
  insert into api_key (id, key_sha256, user_id, name, created_at)
    values (${id(6)}, '${letter.repeat(64)}', ${id(4)}, 'Key', ${now});
  insert into custom_field (id, org_id, key, label, type) values (${id(7)}, ${id(2)}, 'note', 'Note', 'text');
  insert into device (id, org_id, site_id, status, device_role, hostname, hostname_lc, last_user, last_user_lc, tags, custom)
    values (${id(8)}, ${id(2)}, ${id(3)}, 'online', 'server', 'Desk-${letter}', 'desk-${letter}', 'Jo', 'jo', '{vpn}', '{"note": "kept"}');
  insert into device_hardware (device_id, org_id, serial_number) values (${id(8)}, ${id(2)}, 'S-1');
  insert into device_network (device_id, position, org_id, ip_address) values (${id(8)}, 0, ${id(2)}, '10.0.0.1');
  insert into software_title (name, name_lc) values ('Editor ${letter}', 'editor ${letter}');
  insert into device_software
    select ${id(8)}, ${id(2)}, array[t.id], '{1.0}' from software_title t where t.name = 'Editor ${letter}';
  insert into patch (id, device_id, org_id, title, status) values (${id(9)}, ${id(8)}, ${id(2)}, 'KB1', 'pending');
  insert into script (id, org_id, name, description) values (${id(10)}, ${id(2)}, 'Reboot', 'reboots desk-${letter}');
  insert into alert (id, org_id, device_id, severity, status, title, created_at)
    values (${id(11)}, ${id(2)}, ${id(8)}, 'critical', 'active', 'disk full on ${letter}', ${now});
  insert into saved_filter (id, org_id, name, conditions, created_by, created_at, updated_at, version)
    values (${id(12)}, ${id(2)}, 'Desks', '{"operator":"AND","conditions":[]}', ${id(4)}, ${now}, ${now}, 1);
  insert into audit_log (id, at, actor_type, org_id, action, result, resource_type, details, request_id)
    values (${id(13)}, ${now}, 'system', ${id(2)}, 'filter.create', 'success', 'filter', '{}', 'r');
`;
}

function idOf(letter: string, n: number): string {
  return `${letter.repeat(8)}-0000-7000-8000-${String(n).padStart(12, '0')}`;
}
