/** The exported names of the package and their declarations, read from the regularly formatted sources. */
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };

const ROOT = join(import.meta.dirname, '../..');

export interface ExportedName {
  readonly name: string;
  /** The entry of package.json, such as `./domain`. */
  readonly entry: string;
  /** The path of the declaring file from the root of the repository. */
  readonly file: string;
  /** Whether the name has a docstring, or is a type whose members have docstrings. */
  readonly isExplained: boolean;
}

/** Every name of every entry. */
export function exportedNames(): readonly ExportedName[] {
  return Object.entries(packageJson.exports).flatMap(([entry, target]) =>
    typeof target === 'string'
      ? []
      : namesOf(join(target['fleetsift-source'])).map((name) => ({ entry, ...name })),
  );
}

/** The names of the types that a file imports. */
export function importedTypes(file: string): readonly string[] {
  return [...read(file).matchAll(/^import (type )?\{([^}]+)\} from '[#.]/gm)].flatMap(
    ([, type, names = '']) =>
      namesIn(names).flatMap((name) => {
        if (type === undefined && !name.startsWith('type ')) return [];
        return [name.replace(/^type /, '').replace(/ as .*/, '')];
      }),
  );
}

type Declared = Omit<ExportedName, 'entry'>;

const DECLARATION = /^export (?:async )?(?:abstract )?(?:function\*?|const|interface|type|class) (\w+)/;

/** A function type is a port: its docstring is its contract. `make…` gives what its result's docstring says. */
const SPEAKS_FOR_ITSELF =
  /^export (?:function make\w+|const \w+_NOT_FOUND = notFound|interface \w+|type \w+ =(?:$| \S+$| Id<'| \(typeof \w+\)\[| keyof typeof ))/;

function namesOf(file: string): readonly Declared[] {
  const source = read(file);
  const all = [...source.matchAll(/^export (?:type )?\* from '([^']+)'/gm)].flatMap(([, from = '']) =>
    namesOf(resolve(from, file)),
  );
  const some = [...source.matchAll(/^export (?:type )?\{([^}]+)\} from '([^']+)'/gm)].flatMap(
    ([, names = '', from = '']) => {
      const wanted = new Set(namesIn(names).map((name) => name.replace(/^type /, '')));
      return namesOf(resolve(from, file)).filter(({ name }) => wanted.has(name));
    },
  );
  const lines = source.split('\n');
  const own = lines.flatMap((line, i) => {
    const [, name] = DECLARATION.exec(line) ?? [];
    return name === undefined
      ? []
      : [{ name, file, isExplained: lines[i - 1]?.endsWith('*/') === true || SPEAKS_FOR_ITSELF.test(line) }];
  });
  return [...all, ...some, ...own];
}

function namesIn(list: string): readonly string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function resolve(specifier: string, from: string): string {
  const [, layer = '', path = ''] = /^#(\w+)\/(.+)$/.exec(specifier) ?? [];
  return layer === '' ? relative(ROOT, join(ROOT, dirname(from), specifier)) : `src/${layer}/${path}`;
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}
