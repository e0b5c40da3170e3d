/** What every list of scripts promises. */
import fc from 'fast-check';
import type { ScriptQuery } from '#application/ports/fleet/fleet-lists.ts';
import type { ScriptPosition } from '#domain/fleet/fleet-lists.ts';
import type { OrgId } from '#domain/ids.ts';
import { compareCodePoints } from '#domain/text/code-points.ts';
import { foldCase, sortedName } from '#domain/text/fold-case.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { walkPages } from '#test/contracts/walk-pages.ts';
import { aScript, newId, orgScope } from '#test/support/builders.ts';
import { randomText } from '#test/support/random/random-texts.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

const ALL: ScriptQuery = { foldedText: '', after: null, limit: 1_000 };

export function testScriptList(backend: () => ContractBackend): void {
  const list = (orgId: OrgId, query: Partial<ScriptQuery> = {}) =>
    backend().fleetLists.scripts(orgScope(orgId), { ...ALL, ...query });
  const load = (orgId: OrgId, scripts: readonly { name: string; description?: string | null }[]) =>
    loadFleet(
      backend(),
      scripts.map((script) => aScript({ owner: { kind: 'organization', orgId }, ...script })),
    );

  describe('FleetLists: scripts', () => {
    test('have all their fields and their owner', async () => {
      const { orgId, partnerId } = await createTenant(backend());
      const { kind: _own, ...own } = aScript({
        owner: { kind: 'organization', orgId },
        name: 'Clean up',
        description: 'All of "C:\\Temp"\n',
      });
      const { kind: _partners, ...partners } = aScript({
        owner: { kind: 'partner', partnerId },
        name: 'Bare',
      });
      await loadFleet(backend(), [
        { kind: 'script', ...own },
        { kind: 'script', ...partners },
      ]);
      expect(await list(orgId)).toStrictEqual([partners, own]);
    });

    test('are sorted by name in any case, by code point, ties by id', async () => {
      const { orgId } = await createTenant(backend());
      const [first, second] = [newId<'script'>(), newId<'script'>()];
      const owner = { kind: 'organization', orgId } as const;
      await loadFleet(backend(), [
        aScript({ owner, id: second, name: 'ALPHA' }),
        aScript({ owner, id: first, name: 'alpha' }),
      ]);
      await load(
        orgId,
        ['zeta', 'Ärger', '🖨 printer', 'beta', '\uffee', 'Alpha 2'].map((name) => ({ name })),
      );
      const names = (await list(orgId)).map(({ name }) => name);
      expect(names).toStrictEqual([
        'alpha',
        'ALPHA',
        'Alpha 2',
        'beta',
        'zeta',
        'Ärger',
        '\uffee',
        '🖨 printer',
      ]);
    });

    test('with the same long beginning of their name are sorted by id, across pages', async () => {
      const { orgId } = await createTenant(backend());
      const owner = { kind: 'organization', orgId } as const;
      const scripts = ['c', 'b', 'a'].map((end) => aScript({ owner, name: `${'🖨'.repeat(200)}${end}` }));
      await loadFleet(backend(), scripts);
      const found = await walkPages<{ readonly id: string; readonly name: string }, ScriptPosition>(
        1,
        (after, limit) => list(orgId, { after, limit }),
        ({ id, name }) => ({ id, name: sortedName(name) }) as ScriptPosition,
      );
      expect(found.map(({ id }) => id)).toStrictEqual(scripts.map(({ id }) => id));
    });

    test.each([
      ['spool', ['In the description', 'Spool it']],
      ['%', ['100 % done']],
      ['_', ['a_b']],
      ['\\', ['back\\slash']],
      ['ärger', ['Ärger']],
      ['nothing has this', []],
      ['', ['100 % done', 'a_b', 'back\\slash', 'In the description', 'Spool it', 'Ärger']],
    ])('are found by %j in name or description', async (foldedText, expected) => {
      const { orgId } = await createTenant(backend());
      await load(orgId, [
        { name: 'Spool it' },
        { name: 'In the description', description: 'of SPOOLERS' },
        { name: '100 % done', description: '' },
        { name: 'a_b' },
        { name: 'back\\slash' },
        { name: 'Ärger' },
      ]);
      const names = (await list(orgId, { foldedText })).map(({ name }) => name);
      expect(names).toStrictEqual(expected);
    });

    test('are those that contain the text, page by page, in order, for random names', async () => {
      const scripts = fc.array(fc.record({ name: NAME, description: fc.option(randomText) }), {
        minLength: 3,
        maxLength: 15,
      });
      await fc.assert(
        fc.asyncProperty(scripts, fc.integer({ min: 1, max: 5 }), fc.nat(), async (drawn, limit, pick) => {
          const { orgId } = await createTenant(backend());
          const owner = { kind: 'organization', orgId } as const;
          const records = drawn.map((script) => aScript({ owner, ...script }));
          await loadFleet(backend(), records);
          const foldedText = foldCase(Array.from(drawn[pick % drawn.length]?.name ?? '')[0] ?? '');
          const found = await walkPages<{ readonly id: string; readonly name: string }, ScriptPosition>(
            limit,
            (after, size) => list(orgId, { foldedText, after, limit: size }),
            ({ id, name }) => ({ id, name: sortedName(name) }) as ScriptPosition,
          );
          const expected = records
            .filter(({ name, description }) =>
              [name, description ?? ''].some((text) => foldCase(text).includes(foldedText)),
            )
            .sort((a, b) => compareCodePoints(foldCase(a.name), foldCase(b.name)) || (a.id < b.id ? -1 : 1));
          expect(found.map(({ id }) => id)).toStrictEqual(expected.map(({ id }) => id));
        }),
        { numRuns: 10 },
      );
    });
  });
}

const NAME = randomText.filter((text) => text.trim() !== '');
