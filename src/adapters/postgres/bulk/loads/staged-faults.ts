/** Checks a staged fleet as a whole: dangling references, duplicate ids, and ids that belong to another owner. */
import type { PoolClient } from 'pg';
import type { FleetFault } from '#application/ports/fleet/fleet-writer.ts';
import { explainForeignDevice } from '#domain/fleet/foreign-device.ts';
import type { OrgId } from '#domain/ids.ts';
import { MAX_FAULTS } from '#domain/limits.ts';
import type { FleetTable, StagedFleet } from './fleet-tables.ts';
import { KEEP_OWNER, REFERENCES, SAME_ORGANIZATION, UNIQUE, WITH_ID } from './staged-rules.ts';

/** The faults of the data itself in line order, at most `MAX_FAULTS`; devices of other organizations among them, unless these may move. */
export async function findStagedFaults(
  client: PoolClient,
  staged: StagedFleet,
  allowMoves: boolean,
): Promise<readonly FleetFault[]> {
  const faults: FleetFault[] =
    allowMoves || staged.device.isEmpty ? [] : [...(await findForeignDevices(client))];
  for (const check of checksOf(staged)) {
    const { rows } = await client.query<FleetFault>(`${check} limit ${MAX_FAULTS}`);
    faults.push(...rows);
  }
  // Two checks can find the same mistake; of these the last says it best.
  const places = new Map(faults.map((fault) => [`${fault.line} ${fault.member}`, fault]));
  return [...places.values()].sort((a, b) => a.line - b.line).slice(0, MAX_FAULTS);
}

async function findForeignDevices(client: PoolClient): Promise<readonly FleetFault[]> {
  const { rows } = await client.query<Omit<FleetFault, 'message'> & { id: OrgId; name: string }>(
    `select s.line, s.member || '.id' as member, o.id, o.name
     from staged_device s join device t on t.id = s.id and t.org_id <> s.org_id
     join organization o on o.id = t.org_id
     limit ${MAX_FAULTS}`,
  );
  return rows.map(({ line, member, ...owner }) => ({ line, member, message: explainForeignDevice(owner) }));
}

/** Queries for faults, where there is anything to check: rows of (line, member, message). */
function checksOf(staged: StagedFleet): readonly string[] {
  /** Whether a record of the load, `t`, meets the condition. */
  const isStaged = (table: FleetTable, condition: string) =>
    staged[table].isEmpty ? 'false' : `exists (select 1 from staged_${table} t where ${condition})`;
  const hasRows =
    <T>(tableOf: (check: T) => FleetTable) =>
    (check: T) =>
      !staged[tableOf(check)].isEmpty;
  /** The owner of the row `t` as the load leaves it, if the row is not changed itself. */
  const ownerAfter = (owner: string, movesWith: string | undefined) =>
    movesWith === undefined || staged.device.isEmpty
      ? `t.${owner}`
      : `coalesce((select d.${owner} from staged_device d where d.id = t.${movesWith} limit 1), t.${owner})`;
  const withId = WITH_ID.filter(hasRows((table) => table)).map((table) => {
    const ids = staged[table].isWrittenAhead
      ? `(select line, member, id from staged_${table} union all select line, member, id from written_${table}) a`
      : `staged_${table}`;
    return `select line, member || '.id' as member, 'an earlier record of the file has this id' as message
       from (select line, member, row_number() over (partition by id order by line, member) as n from ${ids}) s
       where n > 1`;
  });
  const references = REFERENCES.filter(hasRows(({ from }) => from)).map(
    ({ from, column, member, to, what }) =>
      `select s.line, s.member || '${member}' as member, 'there is no ${what} ' || s.${column} as message
       from staged_${from} s
       where s.${column} is not null
         and not ${isStaged(to, `t.id = s.${column}`)}
         and not exists (select 1 from ${to} t where t.id = s.${column})`,
  );
  const sameOrganization = SAME_ORGANIZATION.filter(hasRows(({ from }) => from)).map(
    ({ from, column, member, to, what }) =>
      `select s.line, s.member || '${member}' as member,
         'the organization has no ${what} ' || s.${column} as message
       from staged_${from} s
       where s.${column} is not null
         and not ${isStaged(to, `t.id = s.${column} and t.org_id = s.org_id`)}
         and not exists (select 1 from ${to} o where o.id = s.${column} and o.org_id = s.org_id
                           and not ${isStaged(to, 't.id = o.id')})`,
  );
  // A user's subset is limited to organizations of their own partner, as the load leaves them.
  const subsets = staged.app_user_organization.isEmpty
    ? []
    : [
        `select s.line, s.member, 'the user''s partner has no organization ' || s.org_id as message
         from staged_app_user_organization s join staged_app_user u on u.id = s.user_id
         where not ${isStaged('organization', 't.id = s.org_id and t.partner_id = u.partner_id')}
           and not exists (select 1 from organization o where o.id = s.org_id and o.partner_id = u.partner_id
                             and not ${isStaged('organization', 't.id = o.id')})`,
      ];
  const owners = KEEP_OWNER.filter(hasRows(({ table }) => table)).map(
    ({ table, owner, movesWith }) =>
      `select s.line, s.member || '.id' as member, 'the id belongs to another owner' as message
       from staged_${table} s join ${table} t on t.id = s.id
       where ${ownerAfter(owner, movesWith)} is distinct from s.${owner}`,
  );
  const unique = UNIQUE.filter(hasRows(({ table }) => table)).flatMap(
    ({ table, columns, member, among, message }) => {
      const same = (other: string) =>
        columns.map((column) => `${other}.${column} = s.${column}`).join(' and ');
      const isAmong = (row: string) => among.replaceAll('r.', `${row}.`);
      return [
        `select s.line, s.member || '${member}' as member, '${message}' as message
         from staged_${table} s join ${table} t on ${same('t')} and ${isAmong('t')} and t.id <> s.id
         where ${isAmong('s')} and not exists (select 1 from staged_${table} r where r.id = t.id)`,
        `select s.line, s.member || '${member}' as member, '${message}' as message
         from staged_${table} s
         where ${isAmong('s')}
           and exists (select 1 from staged_${table} o
                       where ${same('o')} and ${isAmong('o')} and o.id <> s.id
                         and (o.line, o.member) < (s.line, s.member))`,
      ];
    },
  );
  const erased = staged.app_user.isEmpty
    ? []
    : [
        `select s.line, s.member || '.status' as member,
           'this person was erased where the dump is from, and is not erased here' as message
         from staged_app_user s join app_user t on t.id = s.id
         where s.status = 'deleted' and t.status <> 'deleted'`,
      ];
  const entries = staged.audit_log.isEmpty
    ? []
    : [
        `select s.line, s.member || '.id' as member, 'the audit log has another entry with this id' as message
         from staged_audit_log s join audit_log t on t.id = s.id
         where (t.at, t.actor_type, t.actor_id, t.action, t.result, t.resource_id, t.request_id)
           is distinct from (s.at, s.actor_type, s.actor_id, s.action, s.result, s.resource_id, s.request_id)`,
      ];
  return [
    ...erased,
    ...entries,
    ...references,
    ...sameOrganization,
    ...subsets,
    ...owners,
    ...unique,
    // Who has the id may be the earlier record, written ahead.
    ...withId,
  ];
}
