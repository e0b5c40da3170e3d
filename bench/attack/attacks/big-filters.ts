/** Creates a few filters of the largest size, for a list of many megabytes, and deletes them again. */
import { randomUUID } from 'node:crypto';
import { ask } from '../target/ask.ts';
import type { Target } from '../target/target.ts';

/** Fits the quota of 64 MiB. */
const COUNT = 10;

const CONDITIONS = {
  operator: 'AND',
  conditions: [
    {
      field: 'hostname',
      operator: 'in',
      // Just below a body of 1 MiB.
      value: Array.from({ length: 1_000 }, (_, i) => `${i}`.padEnd(1_000, 'x')),
    },
  ],
};

/** Created by the first attacker; the returned function deletes them. Throws if none can be created. */
export async function createBigFilters({
  url,
  attackers: [credential],
}: Target): Promise<() => Promise<void>> {
  const ids: string[] = [];
  for (let i = 0; i < COUNT; i++) {
    const body = JSON.stringify({ name: `attack ${randomUUID()}`, conditions: CONDITIONS });
    const answer = await ask(url, { path: '/filters', credential, body }, { keepText: true });
    // A few suffice if the quota is almost used up.
    if (answer?.status !== 201) break;
    ids.push((JSON.parse(answer.text) as { id: string }).id);
  }
  if (ids.length === 0) throw new Error('the first attacker can create no filter in their organization');
  return async () => {
    for (const id of ids) await ask(url, { method: 'DELETE', path: `/filters/${id}`, credential });
  };
}
