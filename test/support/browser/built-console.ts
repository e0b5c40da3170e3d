/** Builds the console once for a run of the tests. */
import { ensureConsole } from '#adapters/web/build/build-console.ts';

export async function setup(): Promise<void> {
  await ensureConsole(() => process.stdout.write('building the console\n'));
}
