/** Values to complete with, and how many devices in scope have each. */
import { foldedAsFarAs } from '#adapters/postgres/reads/sql/conditions/folded-text.ts';
import {
  LONGEST_INDEXED_NAME,
  titlesInScope,
  versionsInScope,
} from '#adapters/postgres/reads/sql/conditions/titles-in-scope.ts';
import {
  countLiteral,
  likeLiteral,
  type Sql,
  sql,
  textLiteral,
} from '#adapters/postgres/reads/sql/literal.ts';
import { ownerCondition, scopeCondition } from '#adapters/postgres/reads/sql/scope-condition.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { ValueSource } from '#domain/filter/text/complete/complete-filter-text.ts';
import { utf8Length } from '#domain/text/code-points.ts';
import { foldCase } from '#domain/text/fold-case.ts';

/** `sampled` counts one device in 256. */
export type CountedDevices = 'all' | 'sampled';

/** Rows of (value, devices): the first values with the typed text, in the order of `CompletionSource`. */
export function completionValues(
  scope: AccessScope,
  source: ValueSource,
  typed: string,
  limit: number,
  counted: CountedDevices,
  title = '',
): Sql {
  const folded = foldCase(typed);
  const text = foldedAsFarAs(sql`v.value`, folded);
  return sql`select v.value, v.devices::int4 as devices from (${VALUES[source][counted](scope, title)}) v
    where ${text} like ${likeLiteral(folded, 'anywhere')}
    order by starts_with(${text}, ${textLiteral(folded)}) desc, v.devices desc, v.value collate "C"
    limit ${countLiteral(limit, 1)}`;
}

const MAX_RARE_TITLES = sql`100`;

/** Rows of (value): names of software with the typed text that are on a device in scope. */
export function rareSoftware(scope: AccessScope, typed: string, limit: number): Sql {
  const folded = foldCase(typed);
  const begins = sql`starts_with(t.name_lc, ${textLiteral(folded)})`;
  return sql`select c.value from (select distinct n.id, n.name as value, ${begins} as begins
      from (${titlesInScope(scope, 1)}) t join software_title n on n.id = t.title_id
      where t.name_lc like ${likeLiteral(folded, 'anywhere')}
      order by begins desc, value limit ${MAX_RARE_TITLES}) c
    where exists (select from device_software s
      where ${scopeCondition(scope, sql`s.org_id`)} and s.title_ids @> array[c.id])
    order by c.begins desc, c.value limit ${countLiteral(limit, 1)}`;
}

/** One row of (sampled): the sampled devices in scope, counted up to `most`. */
export function sampledDevices(scope: AccessScope, most: number): Sql {
  return sql`select count(*)::int4 as sampled from (select from device_search t
    where ${inSample(scope)} limit ${countLiteral(most, 1)}) s`;
}

type ValuesInScope = (scope: AccessScope, title: string) => Sql;

const VALUES: Readonly<Record<ValueSource, Readonly<Record<CountedDevices, ValuesInScope>>>> = {
  tags: {
    all: (scope) => tagsOf(sql`device d where ${scopeCondition(scope, sql`d.org_id`)}`),
    sampled: (scope) => tagsOf(sql`device_search t join device d on d.id = t.id where ${inSample(scope)}`),
  },
  software: {
    all: (scope) => softwareOf(sql`device_software s`, scopeCondition(scope, sql`s.org_id`)),
    sampled: (scope) =>
      softwareOf(sql`device_search t join device_software s on s.device_id = t.id`, inSample(scope)),
  },
  softwareVersions: {
    all: (scope, title) =>
      sql`select v.version as value, count(distinct s.device_id) as devices from device_software s
        cross join lateral unnest(s.title_ids) e(id) join (${versionsOf(scope, title)}) v on v.id = e.id
        where ${scopeCondition(scope, sql`s.org_id`)} group by v.version`,
    // A title has few versions, so an index counts all devices of each.
    sampled: (scope, title) =>
      sql`select v.version as value, sum(c.devices) as devices from (${versionsOf(scope, title)}) v
        cross join lateral (select count(*) as devices from device_software s
          where ${scopeCondition(scope, sql`s.org_id`)} and s.title_ids @> array[v.id]) c
        where c.devices > 0 group by v.version`,
  },
  agentVersions: textsOf(sql`d.agent_version`),
  osVersions: textsOf(sql`d.os_version`),
  organizations: {
    all: (scope) => organizationsBy(scope, sql`(select count(*) from device d where d.org_id = o.id)`),
    sampled: (scope) =>
      organizationsBy(
        scope,
        sql`(select count(*) from device_search t where ${SAMPLED} and t.org_id = o.id)`,
      ),
  },
  // Counting a filter's devices would require evaluating it.
  filters: { all: filterNames, sampled: filterNames },
  sites: {
    all: (scope) => sitesBy(scope, sql``, sql`(select count(*) from device d where d.site_id = s.id)`),
    sampled: (scope) =>
      sitesBy(
        scope,
        sql` left join (select d.site_id, count(*) as devices from device_search t join device d on d.id = t.id
          where ${inSample(scope)} group by d.site_id) c on c.site_id = s.id`,
        sql`c.devices`,
      ),
  },
};

/** Must equal the condition of the partial index. */
const SAMPLED = sql`not t.is_odd and (uuid_hash(t.id) & 255) = 0`;

function inSample(scope: AccessScope): Sql {
  return sql`${SAMPLED} and ${scopeCondition(scope, sql`t.org_id`)}`;
}

/** A query of (id, version): the versions of the title that organizations in scope have or had. */
function versionsOf(scope: AccessScope, title: string): Sql {
  return sql`select distinct v.id, w.version from (${titlesInScope(scope, utf8Length(title) > LONGEST_INDEXED_NAME ? 1 : 0)}) t
    join (${versionsInScope(scope)}) v on v.title_id = t.title_id join software_version w on w.id = v.id
    where t.name_lc = ${textLiteral(title)}`;
}

function textsOf(column: Sql): Readonly<Record<CountedDevices, ValuesInScope>> {
  const counted = (devices: Sql) =>
    sql`select ${column} as value, count(*) as devices from ${devices} and ${column} is not null group by ${column}`;
  return {
    all: (scope) => counted(sql`device d where ${scopeCondition(scope, sql`d.org_id`)}`),
    sampled: (scope) => counted(sql`device_search t join device d on d.id = t.id where ${inSample(scope)}`),
  };
}

/** There are few different sets of tags, so grouping by set first is several times faster. */
function tagsOf(devices: Sql): Sql {
  return sql`select e.tag as value, sum(g.devices) as devices
    from (select d.tags, count(*) as devices from ${devices} group by d.tags) g
    cross join lateral (select distinct u.tag from unnest(g.tags) u(tag)) e group by e.tag`;
}

function softwareOf(devices: Sql, condition: Sql): Sql {
  return sql`select n.name as value, count(*) as devices from ${devices}
    cross join lateral unnest(s.title_ids) e(title_id) join software_title n on n.id = e.title_id
    where ${condition} group by n.name`;
}

function organizationsBy(scope: AccessScope, devices: Sql): Sql {
  return sql`select o.name as value, sum(${devices}) as devices from organization o
    where ${scopeCondition(scope, sql`o.id`)} group by o.name`;
}

function filterNames(scope: AccessScope): Sql {
  return sql`select f.name as value, 0 as devices from saved_filter f where ${ownerCondition(scope, sql`f`)} group by f.name`;
}

function sitesBy(scope: AccessScope, joined: Sql, devices: Sql): Sql {
  return sql`select s.name as value, coalesce(sum(${devices}), 0) as devices from site s${joined}
    where ${scopeCondition(scope, sql`s.org_id`)} group by s.name`;
}
