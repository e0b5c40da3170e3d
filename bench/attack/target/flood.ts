/** Many clients repeat one request. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tally } from '../tally.ts';
import { ask, type Question } from './ask.ts';
import { RETRY_MS } from './raw-connection.ts';

/** Each client repeats the work until the signal. */
export async function repeat(
  clients: number,
  signal: AbortSignal,
  once: (client: number, round: number) => Promise<void>,
): Promise<void> {
  const client = async (_: unknown, index: number) => {
    for (let round = 0; !signal.aborted; round++) await once(index, round);
  };
  await Promise.all(Array.from({ length: clients }, client));
}

/** Each client asks again as soon as it is answered. */
export async function floodWith(
  url: string,
  clients: number,
  tally: Tally,
  signal: AbortSignal,
  question: (client: number, round: number) => Question,
): Promise<void> {
  await repeat(clients, signal, async (client, round) => {
    tally.send();
    const answer = await ask(url, question(client, round), { signal });
    if (answer === null && signal.aborted) return;
    tally.receive(answer?.status ?? null);
    if (answer === null) await sleep(RETRY_MS);
  });
}
