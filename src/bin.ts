#!/usr/bin/env node
/** The `fleetsift` command of the package. Any Node may start it, so this file must run on old versions. */
import { refusal } from './oldest-node.ts';

if (refusal === null) {
  const { runCommandLine } = await import('./main.ts');
  process.exitCode = await runCommandLine(process.argv.slice(2));
} else {
  process.stderr.write(`${refusal}\n`);
  process.exitCode = 1;
}
