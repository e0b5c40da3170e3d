/** Each rule of `domain/fleet/load-rules.ts` is one query. */
import type { PoolClient } from 'pg';
import { NAME_KEY } from '#adapters/postgres/schema/indexes.ts';
import type { FleetFault } from '#application/ports/fleet/fleet-writer.ts';
import {
  explainForeignDevice,
  explainForeignSubset,
  explainReference,
  type FleetKind,
  FOREIGN_ID,
  KEPT_OWNERS,
  NOT_ERASED_HERE,
  OTHER_ENTRY,
  REFERENCES,
  type Reference,
  SAME_ID,
  UNIQUE,
} from '#domain/fleet/load-rules.ts';
import type { OrgId } from '#domain/ids.ts';
import { MAX_FAULTS } from '#domain/limits.ts';
import type { FleetTable, StagedFleet } from './staging.ts';

interface Check {
  readonly table: FleetTable;
  /** Selects line and member of the records that break the rule, and perhaps a value for the message. */
  readonly query: string;
  readonly path: string;
  readonly explain: (value: string) => string;
}

export async function findStagedFaults(
  client: PoolClient,
  staged: StagedFleet,
  allowMoves: boolean,
): Promise<readonly FleetFault[]> {
  const faults: FleetFault[] =
    allowMoves || staged.device.isEmpty ? [] : [...(await findForeignDevices(client))];
  for (const { query, path, explain } of checksOf(staged)) {
    const { rows } = await client.query<FaultRow>(`${query} limit ${MAX_FAULTS}`);
    for (const { line, member, value = '' } of rows) {
      faults.push({ line, member: `${member}${path}`, message: explain(value) });
    }
  }
  const places = new Map(faults.map((fault) => [`${fault.line} ${fault.member}`, fault]));
  return [...places.values()].sort((a, b) => a.line - b.line).slice(0, MAX_FAULTS);
}

interface FaultRow {
  readonly line: number;
  readonly member: string;
  readonly value?: string;
}

async function findForeignDevices(client: PoolClient): Promise<readonly FleetFault[]> {
  const { rows } = await client.query<FaultRow & { id: OrgId; name: string }>(
    `select s.line, s.member, o.id, o.name
     from staged_device s join device t on t.id = s.id and t.org_id <> s.org_id
     join organization o on o.id = t.org_id
     limit ${MAX_FAULTS}`,
  );
  return rows.map(({ line, member, ...owner }) => {
    return { line, member: `${member}.id`, message: explainForeignDevice(owner) };
  });
}

const TABLES = {
  partner: 'partner',
  organization: 'organization',
  site: 'site',
  user: 'app_user',
  apiKey: 'api_key',
  enrolmentKey: 'enrolment_key',
  customField: 'custom_field',
  device: 'device',
  script: 'script',
  alert: 'alert',
  filter: 'saved_filter',
  deletionRequest: 'account_deletion_request',
  auditEntry: 'audit_log',
} as const satisfies Record<FleetKind, FleetTable>;

function columnOf(member: string): string {
  return member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** What must be unique in a row `r`, and among which rows. */
const UNIQUE_VALUES: Readonly<Record<keyof typeof UNIQUE, { value: string; among: string }>> = {
  partner: { value: NAME_KEY('r.name'), among: 'true' },
  organization: { value: `(r.partner_id, ${NAME_KEY('r.name')})`, among: 'true' },
  site: { value: `(r.org_id, ${NAME_KEY('r.name')})`, among: 'true' },
  user: { value: 'r.email_lc', among: `r.status in ('invited', 'active')` },
  apiKey: { value: 'r.key_sha256', among: 'true' },
  enrolmentKey: { value: 'r.key_sha256', among: 'true' },
  customField: { value: '(coalesce(r.org_id, r.partner_id), r.key)', among: 'true' },
  deletionRequest: { value: 'r.user_id', among: `r.status in ('pending', 'processing')` },
};

/** If a member breaks several rules, the last check's fault is reported, because later rules explain better. */
function checksOf(staged: StagedFleet): readonly Check[] {
  return [
    ERASED,
    ENTRIES,
    ...REFERENCES.map((reference) => referenceCheck(staged, reference)),
    subsetCheck(staged),
    ...KEPT_OWNERS.map(({ kind, member, movesWith }) =>
      ownerCheck(staged, TABLES[kind], columnOf(member), movesWith),
    ),
    ownerCheck(staged, 'patch', 'device_id'),
    ...(Object.keys(UNIQUE) as (keyof typeof UNIQUE)[]).map(uniqueCheck),
    ...[...Object.values(TABLES), 'patch' as const].map((table) => idCheck(staged, table)),
  ].filter(({ table }) => !staged[table].isEmpty);
}

const ERASED: Check = {
  table: 'app_user',
  query: `select s.line, s.member from staged_app_user s join app_user t on t.id = s.id
    where s.status = 'deleted' and t.status <> 'deleted'`,
  path: '.status',
  explain: () => NOT_ERASED_HERE,
};

const ENTRIES: Check = {
  table: 'audit_log',
  query: `select s.line, s.member from staged_audit_log s join audit_log t on t.id = s.id
    where (t.at, t.actor_type, t.actor_id, t.action, t.result, t.resource_id, t.request_id)
      is distinct from (s.at, s.actor_type, s.actor_id, s.action, s.result, s.resource_id, s.request_id)`,
  path: '.id',
  explain: () => OTHER_ENTRY,
};

function isStaged(staged: StagedFleet, table: FleetTable, condition: string): string {
  return staged[table].isEmpty ? 'false' : `exists (select 1 from staged_${table} t where ${condition})`;
}

function referenceCheck(staged: StagedFleet, reference: Reference): Check {
  const [table, to, column] = [TABLES[reference.kind], TABLES[reference.to], columnOf(reference.member)];
  const isWithin = reference.isWithinOrganization === true;
  const isTarget = (row: string) =>
    `${row}.id = s.${column}${isWithin ? ` and ${row}.org_id = s.org_id` : ''}`;
  // A target that is in the load may move to another organization, so its stored row does not count.
  const isKept = isWithin ? ` and not ${isStaged(staged, to, 't.id = o.id')}` : '';
  return {
    table,
    query: `select s.line, s.member, s.${column} as value from staged_${table} s
      where s.${column} is not null
        and not ${isStaged(staged, to, isTarget('t'))}
        and not exists (select 1 from ${to} o where ${isTarget('o')}${isKept})`,
    path: `.${reference.member}`,
    explain: (id) => explainReference(reference, id),
  };
}

function subsetCheck(staged: StagedFleet): Check {
  return {
    table: 'app_user_organization',
    query: `select s.line, s.member, s.org_id as value
      from staged_app_user_organization s join staged_app_user u on u.id = s.user_id
      where not ${isStaged(staged, 'organization', 't.id = s.org_id and t.partner_id = u.partner_id')}
        and not exists (select 1 from organization o where o.id = s.org_id and o.partner_id = u.partner_id
                          and not ${isStaged(staged, 'organization', 't.id = o.id')})`,
    path: '',
    explain: explainForeignSubset,
  };
}

function ownerCheck(staged: StagedFleet, table: FleetTable, owner: string, movesWith?: string): Check {
  const kept =
    movesWith === undefined || staged.device.isEmpty
      ? `t.${owner}`
      : `coalesce((select d.${owner} from staged_device d where d.id = t.${columnOf(movesWith)} limit 1), t.${owner})`;
  return {
    table,
    query: `select s.line, s.member from staged_${table} s join ${table} t on t.id = s.id
      where ${kept} is distinct from s.${owner}`,
    path: '.id',
    explain: () => FOREIGN_ID,
  };
}

function uniqueCheck(kind: keyof typeof UNIQUE): Check {
  const table = TABLES[kind];
  const { member, message } = UNIQUE[kind];
  const { value, among } = UNIQUE_VALUES[kind];
  const of = (row: string, text: string) => text.replaceAll('r.', `${row}.`);
  const isSame = (row: string) =>
    `${of(row, value)} = ${of('s', value)} and ${of(row, among)} and ${row}.id <> s.id`;
  return {
    table,
    // Two queries, because PostgreSQL cannot hash-join on an `or`.
    query: `select s.line, s.member from staged_${table} s join ${table} t on ${isSame('t')}
      where ${of('s', among)} and not exists (select 1 from staged_${table} g where g.id = t.id)
      union all
      select s.line, s.member from staged_${table} s
      where ${of('s', among)}
        and exists (select 1 from staged_${table} o where ${isSame('o')} and (o.line, o.member) < (s.line, s.member))`,
    path: `.${member}`,
    explain: () => message,
  };
}

/** Ids of rows that were written ahead are in `written_*` tables. */
function idCheck(staged: StagedFleet, table: FleetTable): Check {
  const ids = staged[table].isWrittenAhead
    ? `(select line, member, id from staged_${table} union all select line, member, id from written_${table}) a`
    : `staged_${table}`;
  return {
    table,
    query: `select line, member
      from (select line, member, row_number() over (partition by id order by line, member) as n from ${ids}) s
      where n > 1`,
    path: '.id',
    explain: () => SAME_ID,
  };
}
