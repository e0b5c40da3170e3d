#!/usr/bin/env node
/** The `fleetsift` command of the package. Any Node may start it, so this file must run on old versions. */
const OLDEST = [22, 17] as const;

const { node } = process.versions;
const [major = 0, minor = 0] = node.split('.').map(Number);
if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) {
  const { runCommandLine } = await import('./main.ts');
  process.exitCode = await runCommandLine(process.argv.slice(2));
} else {
  process.stderr.write(
    `fleetsift needs Node ${OLDEST.join('.')} or newer, and this is ${node}; install a newer one\n`,
  );
  process.exitCode = 1;
}
