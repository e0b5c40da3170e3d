/** Copies of mails are removed in batches, and noted as removed only afterwards. */
import { expect, test } from 'vitest';
import { makeRemoveDueCopies } from '#application/mail/remove-due-copies.ts';
import type { MailId } from '#domain/ids.ts';
import { movableClock, newId } from '#test/support/builders.ts';

const NEVER = new AbortController().signal;

function openDesk(count: number, remove: (ids: readonly MailId[]) => void = () => undefined) {
  const { clock, moveTo } = movableClock();
  const due = Array.from({ length: count }, () => newId<'mail'>());
  const calls: string[] = [];
  const run = makeRemoveDueCopies({
    outbox: {
      listCopiesDue: async (settledBy, limit) => {
        calls.push(`list ${clock() - settledBy}`);
        return due.slice(0, limit);
      },
      noteCopiesRemoved: async (ids) => {
        calls.push(`note ${ids.length}`);
        due.splice(0, ids.length);
      },
    },
    removeCopies: async (ids) => {
      calls.push(`remove ${ids.length}`);
      remove(ids);
    },
    clock,
    sharedClock: async () => clock(),
    log: { warn: ({ code }: { code?: unknown }) => void calls.push(`warn ${code}`) },
  });
  return { run, calls, pass: (ms: number) => moveTo(clock() + ms) };
}

test('all due copies are removed, a hundred at a time, and noted once they are gone', async () => {
  const { run, calls } = openDesk(101);
  await run(NEVER);
  expect(calls).toStrictEqual([
    'list 120000',
    'remove 100',
    'note 100',
    'list 120000',
    'remove 1',
    'note 1',
    'list 120000',
  ]);
});

test('the outbox is asked twice a minute', async () => {
  const { run, calls, pass } = openDesk(0);
  await Promise.all([run(NEVER), run(NEVER)]);
  pass(29_999);
  await run(NEVER);
  expect(calls).toHaveLength(1);
  pass(1);
  await run(NEVER);
  expect(calls).toHaveLength(2);
});

test('the outbox is asked at once after the clock has been set back', async () => {
  const { run, calls, pass } = openDesk(0);
  await run(NEVER);
  pass(-86_400_000);
  await run(NEVER);
  expect(calls).toHaveLength(2);
});

test('a copy that cannot be removed stays due, and is tried again half a minute later', async () => {
  let isBroken = true;
  const { run, calls, pass } = openDesk(1, () => {
    if (isBroken) throw Object.assign(new Error('no'), { code: 'EACCES' });
  });
  await run(NEVER);
  expect(calls).toStrictEqual(['list 120000', 'remove 1', 'warn EACCES']);
  isBroken = false;
  pass(30_000);
  await run(NEVER);
  expect(calls.slice(3)).toStrictEqual(['list 120000', 'remove 1', 'note 1', 'list 120000']);
});

test('no removal begins once the service stops', async () => {
  const { run, calls } = openDesk(1);
  await run(AbortSignal.abort());
  expect(calls).toStrictEqual(['list 120000']);
});
