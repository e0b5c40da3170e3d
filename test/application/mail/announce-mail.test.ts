/** Only a change that queues mail is announced. */
import { expect, test } from 'vitest';
import { digestSecret } from '#adapters/auth/secret-generator.ts';
import { createMemoryBackend } from '#adapters/memory/memory-backend.ts';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { announceMail } from '#application/mail/announce-mail.ts';
import { anAuditEntry, fixedClock, newId, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { aMail } from '#test/support/mail/mails.ts';

function makeAnnounced() {
  const backend = createMemoryBackend({
    translatePattern,
    digestSecret,
    clock: fixedClock(),
    newId,
    hashPassword: async () => 'hash',
  });
  /** How many mails were in the outbox at each announcement. */
  const heard: Promise<number>[] = [];
  const unitOfWork = announceMail(backend.unitOfWork, () => {
    heard.push(backend.mailOutbox.list(null, 10).then(({ length }) => length));
  });
  return { unitOfWork, heard };
}

test('a change is announced once its mails are in the outbox', async () => {
  const { unitOfWork, heard } = makeAnnounced();
  const result = await unitOfWork(SYSTEM_SCOPE, async (tx) => {
    await tx.mail(aMail());
    await tx.mail(aMail());
    return 'done';
  });
  expect(result).toBe('done');
  expect(await Promise.all(heard)).toStrictEqual([2]);
});

test('a change without mail is not announced', async () => {
  const { unitOfWork, heard } = makeAnnounced();
  await unitOfWork(SYSTEM_SCOPE, (tx) => tx.audit(anAuditEntry()));
  expect(heard).toStrictEqual([]);
});

test('a change that is rolled back is not announced', async () => {
  const { unitOfWork, heard } = makeAnnounced();
  const work = unitOfWork(SYSTEM_SCOPE, async (tx) => {
    await tx.mail(aMail());
    throw new Error('the work failed');
  });
  await expect(work).rejects.toThrow('the work failed');
  expect(heard).toStrictEqual([]);
});
