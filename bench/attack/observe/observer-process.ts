/** Requests its profile, then a preview, and so on, and measures each. */
import { once } from 'node:events';
import { type Answer, ask, type Question } from '../target/ask.ts';
import type { Observation, ObserverOrder } from './observer.ts';

/** After this time, there is no answer. */
const PATIENCE_MS = 20_000;

const PREVIEW = JSON.stringify({
  conditions: { operator: 'AND', conditions: [{ field: 'osType', operator: 'equals', value: 'windows' }] },
  limit: 5,
});

const [order] = (await once(process, 'message')) as [ObserverOrder];
const { url, credential, from } = order;
const profile: Question = { path: '/auth/me', credential, from: from ?? undefined };
const preview: Question = { ...profile, path: '/filters/preview', body: PREVIEW };

// A terminal interrupts the whole group. The parent ends this process.
process.on('SIGINT', () => undefined);

let isWatching = false;
process.send?.(await findFault());
process.on('message', (message) => {
  isWatching = message === 'begin';
  if (isWatching) void watch().then((observation) => process.send?.(observation));
});
process.once('disconnect', () => process.exit());

/** Both requests must work before the attack. */
async function findFault(): Promise<'ready' | { readonly fault: string }> {
  for (const question of [profile, preview]) {
    const status = describe(await ask(url, question));
    if (status !== '200') return { fault: `${question.path} is ${status} for the other organization` };
  }
  return 'ready';
}

async function watch(): Promise<Observation> {
  const previewMs: number[] = [];
  const profileMs: number[] = [];
  const refusals: string[] = [];
  while (isWatching) {
    for (const [question, times] of [
      [profile, profileMs],
      [preview, previewMs],
    ] as const) {
      const begunAt = performance.now();
      const answer = await ask(url, question, { signal: AbortSignal.timeout(PATIENCE_MS) });
      times.push(performance.now() - begunAt);
      if (answer?.status !== 200) refusals.push(describe(answer));
    }
  }
  return { previewMs, profileMs, refusals };
}

function describe(answer: Answer | null): string {
  return answer === null ? 'none' : String(answer.status);
}
