import { UserRow } from '#adapters/postgres/transactional/entities/user-rows.ts';
import { type Orm, withinReach } from '#adapters/postgres/transactional/orm.ts';
import { type NameReader, nameKey, type ThingReference } from '#application/ports/names.ts';
import { reachableOrgIds } from '#domain/access/access-scope.ts';
import { containsFolded } from '#domain/text/fold-case.ts';

export function makeNameReader(orm: Orm): NameReader {
  return {
    async namesOf(scope, things) {
      if (things.length === 0) return new Map();
      const orgIds = reachableOrgIds(scope);
      const partnerId = scope.kind === 'partner' && scope.isWhole ? scope.partnerId : null;
      const rows = await orm.withScope(scope, (em) =>
        em.execute<NamedRow[]>(NAMES, [
          arrayOf(things.map(({ kind }) => kind)),
          arrayOf(things.map(({ id }) => id)),
          orgIds === null,
          arrayOf(orgIds ?? []),
          partnerId,
        ]),
      );
      return new Map(rows.map((row) => [nameKey(row), row.name]));
    },
    findPeople: (scope, foldedText) =>
      orm.withScope(scope, async (em) => {
        const people = await em.find(
          UserRow,
          { status: { $ne: 'deleted' }, ...withinReach(scope) },
          { fields: ['id', 'name', 'emailLc'] },
        );
        // People are matched here, because the database does not fold text.
        const isIn = containsFolded(foldedText);
        return people.flatMap(({ id, name, emailLc }) => (isIn(name) || isIn(emailLc) ? [id] : []));
      }),
  };
}

interface NamedRow extends ThingReference {
  readonly name: string;
}

/** Prints an array literal. Kinds and ids need no quotes in it. */
const arrayOf = (words: readonly string[]) => `{${words.join(',')}}`;

const OF_ORGANIZATION = '(r.is_all or t.org_id = any(r.org_ids))';
const WITHIN_REACH = (table: string) => `(r.is_all or ${table}.org_id = any(r.org_ids)
  or (${table}.org_id is null and ${table}.partner_id = r.partner_id))`;
const OF_PERSON = `t.status <> 'deleted' and ${WITHIN_REACH('t')}`;
const OF_PARTNER = (column: string) => `(r.is_all or ${column} = r.partner_id
  or exists (select from organization o where o.partner_id = ${column} and o.id = any(r.org_ids)))`;

/** For each kind, a query for the name of the thing `w`, if it is within the reach `r`. */
const NAMED = {
  user: `select t.name from app_user t where t.id = w.id and ${OF_PERSON}`,
  account_deletion_request: `select t.name from account_deletion_request q join app_user t on t.id = q.user_id
    where q.id = w.id and ${WITHIN_REACH('q')} and ${OF_PERSON}`,
  api_key: `select k.name from api_key k join app_user t on t.id = k.user_id where k.id = w.id and ${OF_PERSON}`,
  enrolment_key: `select t.name from enrolment_key t where t.id = w.id and ${OF_ORGANIZATION}`,
  organization: 'select t.name from organization t where t.id = w.id and (r.is_all or t.id = any(r.org_ids))',
  site: `select t.name from site t where t.id = w.id and ${OF_ORGANIZATION}`,
  partner: `select t.name from partner t where t.id = w.id and ${OF_PARTNER('t.id')}`,
  filter: `select t.name from saved_filter t
    where t.id = w.id and (${OF_ORGANIZATION} or ${OF_PARTNER('t.partner_id')})`,
  device: `select coalesce(nullif(t.display_name, ''), t.hostname) from device t where t.id = w.id and ${OF_ORGANIZATION}`,
  alert: `select t.title from alert t where t.id = w.id and ${OF_ORGANIZATION}`,
  custom_field: `select t.label from custom_field t
    where t.id = w.id and (${OF_ORGANIZATION} or ${OF_PARTNER('t.partner_id')})`,
  identity_provider: `select t.name from identity_provider t where t.id = w.id and ${WITHIN_REACH('t')}`,
} as const satisfies Partial<Record<ThingReference['kind'], string>>;

const NAMES = `
  select w.kind, w.id, n.name
  from (select distinct * from unnest(?::text[], ?::uuid[]) w(kind, id)) w
  cross join (select ?::boolean, ?::uuid[], ?::uuid) r(is_all, org_ids, partner_id)
  cross join lateral (
    ${Object.entries(NAMED)
      .map(([kind, named]) => `select n.* from (${named}) n(name) where w.kind = '${kind}'`)
      .join('\n    union all ')}) n`;
