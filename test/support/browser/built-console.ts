/** Builds the console and unpacks Chromium once, before the processes of a run start. */
import { ensureConsole } from '#adapters/web/build/build-console.ts';
import { findChromium } from './chromium.ts';

export async function setup(): Promise<void> {
  await ensureConsole(() => process.stdout.write('building the console\n'));
  await findChromium();
}
