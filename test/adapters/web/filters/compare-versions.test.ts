/** How the changes of two people to one filter are compared and merged. */
import { describe, expect, test } from 'vitest';
import { compareVersions, mergeVersions } from '#console/pages/filters/edit/draft/compare-versions.ts';
import type { DraftContent } from '#console/pages/filters/edit/draft/filter-draft.ts';
import { toDraft } from '#console/pages/filters/tree/draft-tree.ts';
import { CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';

function aContent(given: { name?: string; description?: string; os?: string } = {}): DraftContent {
  const { name = 'Windows', description = '', os = 'windows' } = given;
  const condition = { field: 'osType', operator: 'equals', value: os };
  const tree = toDraft({ operator: 'AND', conditions: [condition] });
  if (tree === null) throw new Error('no tree');
  return { name, description, orgId: null, partnerId: null, tree, written: null };
}

describe('the comparison of two versions', () => {
  test('names who made each difference', () => {
    const versions = {
      base: aContent(),
      theirs: aContent({ name: 'Theirs', description: 'for them' }),
      mine: aContent({ name: 'Mine', os: 'linux' }),
    };
    expect(compareVersions(versions, CORE_CATALOG)).toStrictEqual([
      { part: 'name', theirs: 'Theirs', mine: 'Mine', changedBy: 'both' },
      { part: 'description', theirs: 'for them', mine: '', changedBy: 'them' },
      { part: 'tree', theirs: 'os:windows', mine: 'os:linux', changedBy: 'me' },
    ]);
  });

  test('finds no difference where both made the same change', () => {
    const versions = { base: aContent(), theirs: aContent({ os: 'linux' }), mine: aContent({ os: 'linux' }) };
    expect(compareVersions(versions, CORE_CATALOG)).toStrictEqual([]);
  });

  test('names nobody if the original is unknown', () => {
    const versions = { base: null, theirs: aContent(), mine: aContent({ name: 'Mine' }) };
    const differences = compareVersions(versions, CORE_CATALOG);
    expect(differences.map(({ changedBy }) => changedBy)).toStrictEqual(['unknown']);
    expect(mergeVersions(differences, versions.theirs, versions.mine)).toBeNull();
  });
});

describe('two changes', () => {
  test('are merged if they affect different parts', () => {
    const versions = {
      base: aContent(),
      theirs: aContent({ description: 'for them', os: 'linux' }),
      mine: aContent({ name: 'Mine' }),
    };
    const merged = mergeVersions(compareVersions(versions, CORE_CATALOG), versions.theirs, versions.mine);
    expect(merged).toStrictEqual({ ...versions.theirs, name: 'Mine' });
  });

  test('are not merged if they affect the same part', () => {
    const versions = { base: aContent(), theirs: aContent({ os: 'linux' }), mine: aContent({ os: 'macos' }) };
    const differences = compareVersions(versions, CORE_CATALOG);
    expect(mergeVersions(differences, versions.theirs, versions.mine)).toBeNull();
  });
});
