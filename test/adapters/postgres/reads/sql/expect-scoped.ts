/** What every statement has to look like to stay in its scope, stated independently. */
import { expect } from 'vitest';
import type { SearchBounds } from '#adapters/postgres/reads/sql/search/search-bounds.ts';
import { type AccessScope, reachableOrgIds } from '#domain/access/access-scope.ts';
import type { StoredCategory } from '#domain/search/search-hit.ts';

/** The organization of a device and its site, which is of the same organization. */
const OWNERS =
  /^(?: left join organization o on o\.id = d\.org_id)?(?: left join site l on l\.id = d\.site_id and l\.org_id = d\.org_id)?(?= where )/;

/** Every read of a table of devices is limited to the scope, and the compiled condition stays in its parentheses. */
export function expectScoped(text: string, scope: AccessScope): void {
  const code = withoutConstants(text).replaceAll(/\s+/g, ' ');
  expect(code).not.toMatch(/--|\/\*|;|\$|\\/);
  const inScope = (alias: string) => withoutConstants(scopePredicate(scope, alias));
  for (const { 0: table, index } of code.matchAll(/\bdevice(?:_\w+)? \w\b/g)) {
    const alias = table.slice(-1);
    const before = code.slice(0, index);
    const after = code.slice(index + table.length);
    if (before.endsWith('exists (select 1 from ')) {
      expect(after).toMatch(startingWith(` where ${alias}.device_id = d.id and `));
    } else if (/\(select \(extract\(epoch from z\.last_seen_at\)[^()]*\)::int8 from $/.test(before)) {
      // The time when a device that was found in scope or is on the page was last seen.
      expect(after).toMatch(/^ where z\.id = [dp]\.id\)/);
    } else if (before.endsWith(' left join ') && table === 'device_state z') {
      expect(after).toMatch(startingWith(` on z.id = d.id and ${inScope('z')}`));
    } else if (before.endsWith(' left join ')) {
      expect(after).toMatch(startingWith(` on ${alias}.device_id = d.id and ${inScope(alias)}`));
    } else if (/ as value from $/.test(before)) {
      // The interfaces of a device that was found in scope.
      expect(after).toMatch(startingWith(` where ${alias}.device_id = d.id and `));
    } else if (before.endsWith('select t.name from ')) {
      // Its software.
      expect(after).toMatch(
        startingWith(
          ` join software_title t on t.id = any(${alias}.title_ids) where ${alias}.device_id = d.id `,
        ),
      );
    } else if (before.endsWith('select distinct v.version_key, v.version from ')) {
      // The versions of one of its titles.
      const ids = `any(${alias}.title_ids)`;
      const [title, version] = [
        `software_title t on t.id = ${ids}`,
        `software_version v on v.title_id = t.id`,
      ];
      expect(after).toMatch(
        startingWith(` join ${title} join ${version} and v.id = ${ids} where ${alias}.device_id = d.id `),
      );
    } else if (/\(select json_agg\([^()]*\) from $/.test(before)) {
      // Addresses and software of a device that is exported.
      const titles = table.startsWith('device_software')
        ? ` join software_title t on t.id = any(${alias}.title_ids)`
        : '';
      expect(after).toMatch(startingWith(`${titles} where ${alias}.device_id = d.id`));
    } else if (before.endsWith(' from m join ')) {
      // The devices that are exported, found in scope before.
      expect(after).toMatch(startingWith(` on ${alias}.id = m.id`));
      expect(before).toMatch(/\bwith m as materialized \(select d\.id from device d /);
    } else if (before.endsWith(') f join ')) {
      // The devices whose state was found in scope before.
      expect(after).toMatch(new RegExp(`^ on ${alias}\\.id = f\\.id(?:\\)| order by )`));
      expect(before).toMatch(/ from \(select d\.id from device_state d /);
    } else if (before.endsWith('(p join ')) {
      // The page of devices that were found in scope before.
      expect(after).toMatch(startingWith(` on ${alias}.id = p.id)`));
    } else {
      expect(before).toMatch(/from $/);
      const where = after
        // The state table itself has the time for which other tables join it.
        .replace(/^ cross join lateral \(select d\.last_seen_at\) z(?= where )/, '')
        .replace(/^(?: left join \w+ (\w) on \1\.(?:device_)?id = d\.id and .*?(?= left join | where ))*/, '')
        .replace(OWNERS, '');
      // All devices in scope, and one of them.
      if (
        new RegExp(
          `^ where ${RegExp.escape(inScope(alias))}(?: offset 0\\) b | and d.id = ''::uuid ?\\) a |$)`,
        ).test(where)
      ) {
        continue;
      }
      const opening = ` where ${inScope(alias)} and (`;
      expect(where).toMatch(startingWith(opening));
      expect(where.slice(closingOf(where, opening.length - 1) + 1)).toMatch(/^(?: order by |\)|$)/);
    }
  }
  const orgIds = reachableOrgIds(scope) ?? [];
  if (/\bdevice\b/.test(code)) for (const orgId of orgIds) expect(text).toContain(orgId);
}

/**
 * Every step that hands on rows is limited to the scope. The other steps see blocks of titles, if possible those of an
 * organization in scope. The rows are then looked up by id.
 */
export function expectSearchScoped(
  text: string,
  scope: AccessScope,
  category: StoredCategory,
  { apart }: SearchBounds,
): void {
  const code = withoutConstants(text).replaceAll(/\s+/g, ' ');
  expect(code).not.toMatch(/--|\/\*|;|\\/);
  const [thing] = category.split(/s$/);
  const inScope = withoutConstants(searchPredicate(scope, category)).replaceAll(/\s+/g, ' ');
  const [, ...steps] = code.split(/\w+ as materialized \(/);
  const last = steps.at(-1)?.split(` select '', o.id, `);
  expect(last).toHaveLength(2);
  expect(last?.[1]).toMatch(endingWith(` f join ${thing} o on o.id = f.id`));
  expect(last?.[1]).not.toContain('_search');
  let looks = 0;
  for (const step of steps) {
    const rows = step
      .split(` select '', o.id, `)[0]
      ?.replaceAll(
        new RegExp(
          [
            String.raw`\(select l.long_texts from ${thing}_search l where l.id = t.id\)`,
            `select from ${thing} o where o.id = t.id and `,
            `select b.low, b.high, b.space from ${thing}_search_block b where `,
          ].join('|'),
          'g',
        ),
        '',
      );
    for (const { index } of rows?.matchAll(/\b(?:device|script|alert)(?:_search(?:_block)?)? \w\b/g) ?? []) {
      looks++;
      const look = rows?.slice(index).split(/ order by (?:tier|title)/, 1)[0] ?? '';
      expect(look).toMatch(startingWith(`${thing}_search t where `));
      const at = look.indexOf(inScope);
      expect(at).toBeGreaterThan(0);
      expect(look.slice(0, at)).toMatch(/ (?:where|and) \(?$/);
      expect(look.slice(at + inScope.length)).toMatch(/^(?:$|\)| and | limit | order by )/);
    }
  }
  const isApart = category !== 'scripts' && (reachableOrgIds(scope)?.length ?? 0) > 0;
  // Each read of blocks, by their owner: the whole system or organizations, and which ones.
  const spaces = [
    ...text.matchAll(
      /b\.space (=|<>) '00000000-0000-0000-0000-000000000000'::uuid and b\.windows @@ (?:\(|case when turn\.windows = '' then ) ?E?'((?:''|[^'])*)'::tsquery/g,
    ),
  ].map(([, sign, space]) => [sign, space]);
  const ofEverything = ['=', `''00000000-0000-0000-0000-000000000000''`];
  const own = ['<>', (reachableOrgIds(scope) ?? []).map((orgId) => `''${orgId}''`).join(' | ')];
  const reached = reachableOrgIds(scope)?.length ?? 0;
  const isStaged = isApart && reached > 1;
  const isSighted = isStaged && reached > apart;
  // The first blocks and the others, once for all turns. Blocks of many organizations are found by their column.
  const one = isApart ? own : ofEverything;
  const expected = isSighted ? [ofEverything, ofEverything, own] : isStaged ? [own] : [one, one];
  expect(spaces).toStrictEqual(expected);
  const ofMany = text.split(
    `(b.space = any('{${(reachableOrgIds(scope) ?? []).join(',')}}'::uuid[])) is true`,
  );
  expect(ofMany).toHaveLength(isSighted ? 2 : 1);
  expect(text.split('b.windows @@')).toHaveLength(1 + expected.length);
  // Odd rows, titles that begin with the text, and blocks: in many organizations first the blocks of the whole system.
  // Before that, all scripts of few organizations are read, if they are few.
  const mayBeFew = category === 'scripts' && scope.kind !== 'system' && reached <= 8;
  expect(looks).toBe(2 + (isSighted ? 2 : 1) + (mayBeFew ? 1 : 0));
}

/** What the scope of a category has to look like, stated independently. */
export function searchPredicate(scope: AccessScope, category: StoredCategory): string {
  return category === 'scripts' ? ownerPredicate(scope, 't') : scopePredicate(scope, 't');
}

/** What the scope of things of organizations and partners has to look like, stated independently. */
export function ownerPredicate(scope: AccessScope, alias: string): string {
  const ofOrganization = scopePredicate(scope, alias);
  if (scope.kind === 'system') return ofOrganization;
  const organizations = scopePredicate(scope, 'g').replace('g.org_id', 'g.id');
  const own =
    scope.kind === 'partner' && scope.isWhole ? ` or ${alias}.partner_id = '${scope.partnerId}'::uuid` : '';
  return `(${ofOrganization} or ${alias}.partner_id = any(array( select g.partner_id from organization g where ${organizations}))${own})`;
}

/** What the scope has to look like, stated independently. */
export function scopePredicate(scope: AccessScope, alias: string): string {
  const orgIds = reachableOrgIds(scope);
  if (orgIds === null) return 'true';
  if (orgIds.length === 0) return 'false';
  return orgIds.length === 1
    ? `${alias}.org_id = '${orgIds[0]}'::uuid`
    : `${alias}.org_id = any('{${orgIds.join(',')}}'::uuid[])`;
}

function startingWith(text: string): RegExp {
  return new RegExp(`^${RegExp.escape(text)}`);
}

export function endingWith(text: string): RegExp {
  return new RegExp(`${RegExp.escape(text)}$`);
}

/** The statement with an empty text for every constant, found as PostgreSQL finds them. */
export function withoutConstants(text: string): string {
  return text.replaceAll(/ ?\bE'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'/g, "''");
}

/** Where the parenthesis at `open` is closed. */
function closingOf(code: string, open: number): number {
  let depth = 0;
  for (let at = open; at < code.length; at++) {
    if (code[at] === '(') depth++;
    if (code[at] === ')' && --depth === 0) return at;
  }
  throw new Error('a parenthesis is not closed');
}
