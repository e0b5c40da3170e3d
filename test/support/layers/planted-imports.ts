/** Imports for a file in a folder of `src`: those that the layers refuse there, and those that they allow. */
import { foldersIn } from './layer-rules.ts';

export interface Planted {
  /** Statements of one line each. */
  readonly refused: readonly string[];
  readonly allowed: readonly string[];
}

/** `folder` is a path from the root of the repository, such as `src/domain/filter/conditions`. */
export function plantedImports(folder: string): Planted {
  const { refused, allowed } = specifiersFor(folder);
  return { refused: inEveryForm(refused), allowed: inEveryForm(allowed) };
}

interface Specifiers {
  readonly refused: readonly string[];
  readonly allowed: readonly string[];
}

/** The forms of an import. The first specifier is planted in all forms, every other one in one form. */
const FORMS: readonly ((specifier: string, n: number) => string)[] = [
  (specifier, n) => `import { planted as planted${n} } from '${specifier}';`,
  (specifier, n) => `import type { Planted as Planted${n} } from '${specifier}';`,
  (specifier, n) => `export { planted as exported${n} } from '${specifier}';`,
  (specifier) => `import '${specifier}';`,
  (specifier, n) => `export const loaded${n} = await import('${specifier}');`,
];

function inEveryForm(specifiers: readonly string[]): readonly string[] {
  const [first = '', ...rest] = specifiers;
  const ofFirst = FORMS.map((form, n) => form(first, n));
  return [
    ...ofFirst,
    ...rest.map((specifier, n) => FORMS[n % FORMS.length]?.(specifier, n + FORMS.length) ?? ''),
  ];
}

function specifiersFor(folder: string): Specifiers {
  const [, layer, adapter = '', door = '', inner] = folder.split('/');
  switch (layer) {
    case 'domain':
      return {
        refused: [...NEVER, ...INNER_ONLY, '#application/call.ts', '#adapters/memory/tables/world.ts'],
        allowed: [...OWN, '#domain/result.ts'],
      };
    case 'application':
      return {
        refused: [...NEVER, ...INNER_ONLY, '#adapters/memory/tables/world.ts'],
        allowed: [...OWN, '#domain/result.ts', '#application/call.ts'],
      };
    case 'main':
      return { refused: [...NEVER, ...INNER_ONLY], allowed: [...ANY_LAYER, 'node:os', 'node:path'] };
    case 'exports':
      return { refused: [...NEVER, ...INNER_ONLY], allowed: ANY_LAYER };
    case 'adapters':
      if (door === 'schema' || inner === 'migrations') return SQL_ALONE;
      return adapter === 'web' && door === 'client' ? CONSOLE : inAdapter(adapter, door);
    default:
      throw new Error(`no layer has the folder ${folder}`);
  }
}

const OWN = ['./beside.ts', './below/below.ts'];
const ANY_LAYER = [...OWN, '#domain/result.ts', '#application/call.ts', '#adapters/memory/tables/world.ts'];
/** Never to be imported outside of main.ts, or only by another specifier. */
const NEVER = [
  '../above.ts',
  './../above.ts',
  '../../main.ts',
  '#test/support/builders.ts',
  'fleetsift',
  'tsyringe',
];
/** What only adapters may import. */
const INNER_ONLY = ['node:fs', 'node:fs/promises', 'fs', 'valibot', 'pg', '@mikro-orm/core', 'hono'];

function inAdapter(adapter: string, door: string): Specifiers {
  const others = foldersIn('src/adapters').filter((name) => name !== adapter);
  const { closed, open } = doorsSeenFrom(adapter, door);
  return {
    refused: [
      ...NEVER,
      ...others.flatMap((other) => [`#adapters/${other}/some.ts`, `#adapters/${other}/some/inner.ts`]),
      ...others.map((other) => `../${other}/some.ts`),
      '#adapters/some.ts',
      'fleetsift/domain/result',
      'reflect-metadata',
      '../../main/composition.ts',
      ...closed,
    ],
    allowed: [
      ...OWN,
      '#domain/result.ts',
      '#domain/filter/conditions/predicate.ts',
      '#application/call.ts',
      `#adapters/${adapter}/some.ts`,
      'node:fs',
      'valibot',
      'pg',
      '@mikro-orm/core',
      ...open,
    ],
  };
}

/** The parts of the PostgreSQL adapter that one of its folders must not or may import. */
function doorsSeenFrom(
  adapter: string,
  door: string,
): { closed: readonly string[]; open: readonly string[] } {
  if (adapter !== 'postgres' || door === '') return { closed: [], open: [] };
  const doors = ['transactional', 'reads', 'bulk'].filter((name) => name !== door);
  const ownWay = door === 'setup' ? [] : ['#adapters/postgres/setup/security/session-scope.ts'];
  return {
    closed: doors.flatMap((name) => [
      `#adapters/postgres/${name}/some.ts`,
      `#adapters/postgres/${name}/sql/some.ts`,
    ]),
    open: ['#adapters/postgres/database-error.ts', `#adapters/postgres/${door}/some.ts`, ...ownWay],
  };
}

const SQL_ALONE: Specifiers = {
  refused: [
    ...NEVER,
    'node:crypto',
    'pg',
    '@mikro-orm/core',
    '#application/call.ts',
    '#adapters/postgres/setup/security/row-level-security.ts',
    '#adapters/postgres/migrations.ts',
  ],
  allowed: OWN,
};

/** The code that runs in browsers. */
const CONSOLE: Specifiers = {
  refused: [
    ...NEVER,
    'node:fs',
    '#application/call.ts',
    '#adapters/http/app.ts',
    '#adapters/web/serve/console-files.ts',
    'reflect-metadata',
  ],
  allowed: [
    ...OWN,
    '#domain/result.ts',
    '#console/api/http.ts',
    '#adapters/web/places.ts',
    '#adapters/http/api-types.ts',
    'react',
  ],
};
