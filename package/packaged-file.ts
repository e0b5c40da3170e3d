/**
 * The place of a compiled file in the package, and its references to others. Sources name each other by layer
 * (`#domain/result.ts`). The package uses relative paths, which every bundler and runtime understands.
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
  if (path.endsWith('.map')) return { path: packaged, content: mapOf(path, packaged, content) };
  if (path.endsWith('.json')) return { path: packaged, content };
  return { path: packaged, content: withRelativeImports(packaged, content) };
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

/** In quotes: by layer, or of a file beside, which types name by its source. */
const SPECIFIER = /(["'])(?:#(domain|application|adapters|test)\/|(\.\.?\/))([\w./-]+)\.ts\1/g;

function withRelativeImports(path: string, content: string): string {
  return content.replace(SPECIFIER, (_, quote, layer, relative, rest) => {
    const target = layer === undefined ? `${relative}${rest}` : fromFile(path, `${PLACES[layer]}/${rest}`);
    return `${quote}${target}.js${quote}`;
  });
}

function fromFile(path: string, target: string): string {
  const relative = posix.relative(posix.dirname(path), target);
  return relative.startsWith('.') ? relative : `./${relative}`;
}

/** The map contains the source and names its place in the repository. */
function mapOf(path: string, packaged: string, content: string): string {
  const source = path.replace(/\.js\.map$/, '.ts');
  return JSON.stringify({
    ...JSON.parse(content),
    sources: [posix.relative(posix.dirname(`dist/${packaged}`), source)],
  });
}
