/**
 * What the files of each folder below `src` may import, derived from the folders. A new adapter gets its rule from
 * `node test/scripts/write-layer-rules.ts`, and the architecture test fails until that has run.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

export interface LayerRule {
  /** The path from the root of the repository, with slashes. The rule of a folder replaces the rules of its parents. */
  readonly folder: string;
  /** Patterns as in `.gitignore`: the last one that matches a specifier decides, and `!` allows it. */
  readonly refused: readonly string[];
  readonly message: string;
}

/** The rules, outer folders before inner ones. */
export function layerRules(): readonly LayerRule[] {
  return [
    {
      folder: 'src/domain',
      refused: ['**', '!./**', './../**', '!#domain/**'],
      message: 'The domain imports nothing but itself.',
    },
    {
      folder: 'src/application',
      refused: ['**', '!./**', './../**', '!#domain/**', '!#application/**'],
      message: 'The application imports the domain and itself only.',
    },
    {
      folder: 'src/main',
      refused: [
        '**',
        '!./**',
        './../**',
        '!#domain/**',
        '!#application/**',
        '!#adapters/**',
        '!node:os',
        '!node:path',
      ],
      message: 'The factories put parts of the layers together; whatever needs a library is an adapter.',
    },
    {
      folder: 'src/exports',
      refused: ['**', '!./**', './../**', '!#domain/**', '!#application/**', '!#adapters/**'],
      message: 'What the package exports is made of the layers; whatever needs a library is an adapter.',
    },
    ...foldersIn('src/adapters').map(adapterRule),
    {
      folder: 'src/adapters/web/client',
      refused: [
        ...OUTSIDE_AN_ADAPTER,
        '#application/**',
        'node:*',
        '!#adapters/web/places.ts',
        '!#adapters/http/api-types.ts',
      ],
      message:
        'The console imports the domain, the types of the API, its own folder and libraries; nothing that browsers lack.',
    },
    ...Object.entries(DOORS).map(([door, closed]) => doorRule(door, closed)),
    ...['schema', 'setup/migrations'].map((folder) => ({
      folder: `src/adapters/postgres/${folder}`,
      refused: ['**', '!./**', './../**'],
      message: 'The SQL of the schema and of its migrations depends on nothing outside its own folder.',
    })),
  ];
}

/** The overrides of biome.json that enforce the rules. */
export function layerOverrides(): readonly object[] {
  return layerRules().map(({ folder, refused, message }) => ({
    includes: [`${folder}/**`],
    linter: {
      rules: {
        style: {
          noRestrictedImports: { level: 'error', options: { patterns: [{ group: refused, message }] } },
        },
      },
    },
  }));
}

/** The sorted names of the direct subfolders. */
export function foldersIn(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

function adapterRule(name: string): LayerRule {
  return {
    folder: `src/adapters/${name}`,
    refused: [...OUTSIDE_AN_ADAPTER, `!#adapters/${name}/**`],
    message:
      'An adapter imports the domain, the application, its own folder and libraries; never another adapter, main.ts or tsyringe.',
  };
}

const OUTSIDE_AN_ADAPTER = [
  '../**',
  './../**',
  '**/main.ts',
  '**/main/**',
  'fleetsift',
  'fleetsift/**',
  'tsyringe',
  'reflect-metadata',
  '#test/**',
  '#adapters/**',
];

/** The four parts of the PostgreSQL adapter, each with the parts that it must not import. */
const DOORS: Readonly<Record<string, readonly string[]>> = {
  transactional: ['reads', 'bulk'],
  reads: ['transactional', 'bulk'],
  bulk: ['transactional', 'reads'],
  setup: ['transactional', 'reads', 'bulk'],
};

/** A load checks its filters against the custom fields and filters that it has brought itself. */
const DOOR_EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  bulk: [
    '!#adapters/postgres/reads/filters/custom-field-source.ts',
    '!#adapters/postgres/reads/filters/saved-filter-reader.ts',
  ],
};

function doorRule(door: string, closed: readonly string[]): LayerRule {
  const { refused } = adapterRule('postgres');
  return {
    folder: `src/adapters/postgres/${door}`,
    refused: [
      ...refused,
      ...closed.map((other) => `#adapters/postgres/${other}/**`),
      ...(DOOR_EXCEPTIONS[door] ?? []),
    ],
    message: `A file that needs two ways to PostgreSQL is two files: ${door}/ imports nothing from ${closed.map((other) => `${other}/`).join(' or ')}, another adapter, main.ts or tsyringe.`,
  };
}
