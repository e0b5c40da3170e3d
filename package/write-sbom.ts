/**
 * Writes the SBOM of the package (CycloneDX) to standard output: what npm installs with it, and what the build copies into
 * it. `npm sbom --omit=dev` knows neither copies nor packages that we develop with as well.
 */
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import packageJson from '../package.json' with { type: 'json' };
import { VENDORED } from './packaged-file.ts';

interface Bom {
  readonly metadata: { readonly component: { readonly 'bom-ref': string; name: string } };
  components: readonly {
    readonly 'bom-ref': string;
    readonly name: string;
    properties: readonly { readonly name: string }[];
  }[];
  dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const ROOT = join(import.meta.dirname, '..');

const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--workspaces=false'];
const { stdout } = await promisify(execFile)('npm', args, { cwd: ROOT, maxBuffer: 1 << 26 });
const bom = JSON.parse(stdout) as Bom;

const shipped = shippedRefs(bom);
bom.metadata.component.name = packageJson.name;
bom.components = bom.components.filter((component) => shipped.has(component['bom-ref']));
for (const component of bom.components) {
  component.properties = component.properties.filter(({ name }) => name !== 'cdx:npm:package:development');
}
bom.dependencies = bom.dependencies
  .filter(({ ref }) => shipped.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => shipped.has(other)) }));
process.stdout.write(`${JSON.stringify(bom, null, 2)}\n`);

/** Our dependencies with theirs, and ourselves. */
function shippedRefs({ metadata, components, dependencies }: Bom): ReadonlySet<string> {
  const { dependencies: installed, optionalDependencies } = packageJson;
  const direct = new Set([
    ...Object.keys({ ...installed, ...optionalDependencies, ...VENDORED }),
    ...importedByConsole(),
  ]);
  const nameOf = new Map(components.map((component) => [component['bom-ref'], component.name]));
  const needs = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const root = metadata.component['bom-ref'];
  const found = new Set([root]);
  const waiting = (needs.get(root) ?? []).filter((ref) => direct.has(nameOf.get(ref) ?? ''));
  for (let ref = waiting.pop(); ref !== undefined; ref = waiting.pop()) {
    if (found.has(ref) || nameOf.get(ref) === 'typescript') continue;
    found.add(ref);
    waiting.push(...(needs.get(ref) ?? []));
  }
  return found;
}

/** The bundler puts them into the console. */
function importedByConsole(): readonly string[] {
  return globSync('src/adapters/web/client/**/*.{ts,tsx,css}', { cwd: ROOT }).flatMap((file) =>
    [
      ...readFileSync(join(ROOT, file), 'utf8').matchAll(/(?:from|import) ["']((?:@[\w-]+\/)?[a-z][\w-]*)/g),
    ].map(([, name = '']) => name),
  );
}
