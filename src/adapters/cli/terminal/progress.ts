/** Shows progress as a live line on a terminal, otherwise as a new line every few seconds. */

import { visibleName } from '#domain/text/visible-text.ts';
import { report } from './door.ts';

export interface Progress {
  readonly update: (done: number) => void;
  readonly stop: () => void;
}

const LOG_EVERY_MS = 5_000;

export async function startProgress(named: string, unit: string): Promise<Progress> {
  const title = visibleName(named);
  if (!process.stderr.isTTY) return startPlainProgress(title, unit);
  const { SingleBar } = await import('cli-progress');
  const bar = new SingleBar({
    format: `${title} … {value} ${unit}, {duration_formatted}`,
    stream: process.stderr,
    clearOnComplete: true,
    hideCursor: true,
  });
  bar.start(0, 0);
  return { update: (done) => bar.update(done), stop: () => bar.stop() };
}

function startPlainProgress(title: string, unit: string): Progress {
  let loggedAt = performance.now();
  return {
    update: (done) => {
      if (performance.now() - loggedAt < LOG_EVERY_MS) return;
      loggedAt = performance.now();
      report(`${title} … ${done.toLocaleString('en')} ${unit}`);
    },
    stop: () => undefined,
  };
}
