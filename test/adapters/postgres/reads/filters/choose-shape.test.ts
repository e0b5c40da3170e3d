import { describe, expect, test } from 'vitest';
import { isSoonFullInOrganization } from '#adapters/postgres/reads/filters/choose-shape.ts';
import { filterToSql } from '#adapters/postgres/reads/sql/conditions/filter-to-sql.ts';
import { NO_TITLES } from '#adapters/postgres/reads/sql/conditions/software.ts';
import { simplifyConditions } from '#domain/filter/conditions/simplify-conditions.ts';
import { newId, orgScope, partnerScope, SOME_INSTANT, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { and, parseFilter, type RawGroup } from '#test/support/filters.ts';

const OFFLINE = and({ field: 'status', operator: 'equals', value: 'offline' });
const NAMED = and({ field: 'hostname', operator: 'contains', value: 'srv' });
const ORGANIZATION = orgScope(newId());

const compile = (group: RawGroup) =>
  filterToSql(simplifyConditions(parseFilter(group)), { at: SOME_INSTANT, titleIds: NO_TITLES });

describe('a page is soon full', () => {
  test.each([
    ['an organization', ORGANIZATION],
    ['the only organization of a partner', partnerScope(newId(), [newId()])],
  ])('in %s, by a filter on states, if three pages were found', (_where, scope) => {
    expect(isSoonFullInOrganization(scope, compile(OFFLINE), 30, 10)).toBe(true);
  });

  test.each([
    ['if fewer were found', ORGANIZATION, OFFLINE, 29],
    ['by a filter on names', ORGANIZATION, NAMED, 30],
    ['in several organizations', partnerScope(newId(), [newId(), newId()]), OFFLINE, 30],
    ['in all organizations', SYSTEM_SCOPE, OFFLINE, 30],
  ])('but not %s', (_where, scope, group, lastTotal) => {
    expect(isSoonFullInOrganization(scope, compile(group), lastTotal, 10)).toBe(false);
  });
});
