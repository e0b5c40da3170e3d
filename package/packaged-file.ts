/**
 * The place of a compiled file in the package, its references to others, and the commands that it names. Sources name each
 * other by layer (`#domain/result.ts`). The package uses relative paths, which every bundler and runtime understands.
 */
import { posix } from 'node:path';

export interface PackagedFile {
  /** Below `dist`. */
  readonly path: string;
  readonly content: string;
}

/** `path` is below the compiler's output, with slashes. Null for files that the package has elsewhere. */
export function packagedFile(path: string, content: string): PackagedFile | null {
  const packaged = placeOf(path);
  if (packaged === null) return null;
  return { path: packaged, content: path.endsWith('.json') ? content : asInstalled(packaged, content) };
}

/** Sources go to the root, and those of `test` below `testing`. */
function placeOf(path: string): string | null {
  const [, top, rest] = /^(src|test)\/(.*)$/.exec(path) ?? [];
  if (top === undefined || rest === undefined) return null;
  return top === 'src' ? rest : `testing/${rest}`;
}

const PLACES: Readonly<Record<string, string>> = {
  domain: 'domain',
  application: 'application',
  adapters: 'adapters',
  test: 'testing',
};

/** Packages that the package has a copy of. */
export const VENDORED = {
  valibot: 'vendor/valibot/index.mjs',
  '@valibot/to-json-schema': 'vendor/to-json-schema/index.mjs',
} as const;

/** In quotes: by layer, of a file beside, or of a package that we have a copy of. */
const SPECIFIER =
  /(["'])(?:(?:#(domain|application|adapters|test)\/|(\.\.?\/))([\w./-]+)\.ts|(valibot|@valibot\/to-json-schema))\1/g;

function asInstalled(path: string, content: string): string {
  return content
    .replace(SPECIFIER, (_, quote, layer, relative, rest, vendored: keyof typeof VENDORED | undefined) => {
      if (vendored !== undefined) return `${quote}${fromFile(path, VENDORED[vendored])}${quote}`;
      const target = layer === undefined ? `${relative}${rest}` : fromFile(path, `${PLACES[layer]}/${rest}`);
      return `${quote}${target}.js${quote}`;
    })
    .replaceAll('npm run fleetsift --', 'npx fleetsift')
    .replaceAll('npm start', 'npx fleetsift serve');
}

function fromFile(path: string, target: string): string {
  const relative = posix.relative(posix.dirname(path), target);
  return relative.startsWith('.') ? relative : `./${relative}`;
}
