/** What the manual promises about the supply chain. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { appendFile, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import nodePackage from '../../package/node/package.json' with { type: 'json' };
import { VENDORED } from '../../package/packaged-file.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);
const platform = `${process.platform}-${process.arch}`;
const [name = '', version = ''] =
  Object.entries(nodePackage.optionalDependencies).find(([one]) => one.endsWith(platform)) ?? [];

const OUR_LIST = join(ROOT, 'package/node/SHASUMS256.txt');

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

interface Locked {
  readonly version: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>;
};

test('all platforms have the same Node, and the lock file pins the bytes of each', () => {
  for (const [one, wanted] of Object.entries(nodePackage.optionalDependencies)) {
    expect(packages[`node_modules/${one}`]).toMatchObject({
      version,
      integrity: expect.stringMatching(/^sha512-/),
    });
    expect(wanted).toBe(version);
  }
});

test('our list has the archives of this version, and the installed binary is the one in the list', () => {
  const listed = readFileSync(OUR_LIST, 'utf8').trimEnd().split('\n');
  for (const one of Object.keys(nodePackage.optionalDependencies)) {
    const archive = `node-v${version}-${one.replace(/^node-(?:bin-)?/, '')}.tar.gz`;
    expect(listed).toContainEqual(expect.stringMatching(new RegExp(`^[0-9a-f]{64} {2}${archive}$`)));
  }
  // No public source states the digest of this one (docs/supply-chain.md).
  if (platform === 'darwin-x64') return;
  const binary = sha256(readFileSync(join(ROOT, 'node_modules', name, 'bin/node')));
  expect(listed).toContain(`${binary}  node-v${version}-${platform}/bin/node`);
});

test('the SBOM lists what is installed with the package or copied into it, and no tools', async () => {
  const { stdout } = await run(process.execPath, ['package/write-sbom.ts'], {
    cwd: ROOT,
    maxBuffer: 1 << 26,
  });
  const { bomFormat, components } = JSON.parse(stdout) as {
    readonly bomFormat: string;
    readonly components: readonly { readonly name: string; readonly version: string }[];
  };
  expect(bomFormat).toBe('CycloneDX');
  const listed = new Set(components.map((component) => `${component.name}@${component.version}`));
  const shipped = Object.entries(packages)
    .filter(([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link)
    .map(([path, { version: locked }]) => `${path.replace(/^.*node_modules\//, '')}@${locked}`)
    .filter((one) => !/^node-(?:bin-)?(?:linux|darwin)/.test(one));
  expect(shipped.length).toBeGreaterThan(50);
  expect(shipped.filter((one) => !listed.has(one))).toStrictEqual([]);
  const names = components.map((component) => component.name);
  expect(names).toEqual(
    expect.arrayContaining([...Object.keys(VENDORED), 'react', 'react-aria', '@fontsource-variable/inter']),
  );
  for (const tool of ['typescript', 'vitest', 'vite', '@biomejs/biome', name])
    expect(names).not.toContain(tool);
});

test('compare-node.ts compares Node with a release and our list, and reports a different binary', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'fleetsift-release-'));
  const root = `node-v${version}-${platform}`;
  const binary = join(directory, root, 'bin/node');
  await mkdir(join(directory, root, 'bin'), { recursive: true });
  await copyFile(join(ROOT, 'node_modules', name, 'bin/node'), binary);
  const archive = join(directory, `${root}.tar.gz`);
  const pack = () => run('tar', ['-c', '-I', 'gzip -1', '-f', archive, '-C', directory, `${root}/bin/node`]);
  await pack();
  const listOf = (file: string) => `${sha256(readFileSync(file))}  ${root}.tar.gz\n`;
  const server = createServer(({ url = '' }, response) => {
    if (url === `/v${version}/${root}.tar.gz`) response.end(readFileSync(archive));
    else response.end(listOf(archive));
  }).listen(0, '127.0.0.1');
  onTestFinished(async () => {
    server.close();
    await rm(directory, { recursive: true });
  });
  await once(server, 'listening');
  const releases = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const list = join(directory, 'SHASUMS256.txt');
  const compare = async (digest: string) => {
    await writeFile(list, `${listOf(archive)}${digest}  ${root}/bin/node\n`);
    return compareWith(list);
  };
  const compareWith = (file: string) =>
    run(process.execPath, [join(ROOT, 'test/scripts/compare-node.ts'), releases, file, platform]).then(
      ({ stdout }) => stdout,
      ({
        code,
        stdout,
        stderr,
      }: {
        readonly code: number;
        readonly stdout: string;
        readonly stderr: string;
      }) => `${code} ${stdout}${stderr}`,
    );
  const same = `${name}@${version}: the binary of nodejs.org`;
  const other = `1 ${name}@${version}: ANOTHER BINARY`;
  expect(await compare(sha256(readFileSync(binary)))).toMatch(same);
  expect(await compare('0'.repeat(64))).toMatch(other);
  expect(await compareWith(OUR_LIST)).toContain(`${root}.tar.gz is not the one in ${OUR_LIST}`);
  await appendFile(binary, 'one more byte');
  await pack();
  expect(await compare(sha256(readFileSync(binary)))).toMatch(other);
});
