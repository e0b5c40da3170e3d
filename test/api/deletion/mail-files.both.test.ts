/** What the worker does about mail files: it writes reminders, and removes files about the erased (Contract: §7). */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeEmlRemover, makeEmlSender } from '#adapters/mail/eml-sender.ts';
import type { Worker } from '#adapters/system/worker.ts';
import { type DeletionService, startDeletionService } from '#test/api/service/deletion-service.ts';

const PATIENCE = { timeout: 20_000, interval: 50 };

let service: DeletionService;
let directory: string;
let worker: Worker;

beforeAll(async () => {
  service = await startDeletionService();
  directory = await mkdtemp(join(tmpdir(), 'fleetsift-mail-'));
  worker = service.composition.startWorker({
    sendMail: makeEmlSender({ directory, from: { name: 'Fleetsift', address: 'fleetsift@localhost' } }),
    removeMailCopies: makeEmlRemover({ directory }),
    baseUrl: 'https://fleet.example.com',
    intervalMs: 50,
  });
});

afterAll(async () => {
  await worker.stop(2_000);
  await service.close();
  await rm(directory, { recursive: true, force: true });
});

/** The subjects of the files that have the text in them. */
async function filesWith(text: string): Promise<readonly string[]> {
  const names = (await readdir(directory)).filter((name) => !name.startsWith('.'));
  const files = await Promise.all(
    names.map((name) => readFile(join(directory, name), 'utf8').catch(() => '')),
  );
  return files
    .filter((file) => file.includes(text))
    .map((file) => /^Subject: (.*)$/m.exec(file)?.[1]?.trim() ?? '')
    .toSorted();
}

test('the mail files of an erased person are removed within three minutes, and others stay', async () => {
  const team = await service.newTeam();
  const { admin } = team.people;
  const [leaving, staying] = [
    await service.addMember(team, { email: 'leaving@canary.example' }),
    await service.addMember(team, { email: 'staying@canary.example' }),
  ];
  for (const user of [leaving, staying]) {
    const { id } = await service.submit(user);
    await service.decide(admin, id, {
      action: user === leaving ? 'approve' : 'reject',
      adminNote: 'as asked',
    });
  }
  const { mailOutbox } = service.composition.backend;
  await expect.poll(() => mailOutbox.list('queued', 100), PATIENCE).toStrictEqual([]);
  const review = 'An account deletion request is waiting for your review';
  expect(await filesWith(leaving.email)).toEqual(
    expect.arrayContaining([review, 'Your account deletion request was approved']),
  );
  const ofStaying = await filesWith(staying.email);
  expect(ofStaying).toEqual(expect.arrayContaining([review, 'Your account deletion request was declined']));
  service.pass(720 * 3600);
  await expect.poll(() => filesWith(leaving.email), PATIENCE).toContain('Your account has been deleted');
  await expect.poll(() => mailOutbox.list('queued', 100), PATIENCE).toStrictEqual([]);
  service.pass(155);
  await expect.poll(() => filesWith(leaving.email), PATIENCE).toStrictEqual([]);
  expect(await filesWith(staying.email)).toStrictEqual(ofStaying);
});

test('the worker reminds an administrator of a request that nobody has decided for 23 days, once', async () => {
  const team = await service.newTeam();
  const member = await service.addMember(team, { email: 'waiting@canary.example' });
  const { id } = await service.submit(member);
  const reminder = 'An account deletion request still waits for your review';
  service.pass(23 * 24 * 3600);
  await expect.poll(() => filesWith(member.email), PATIENCE).toContain(reminder);
  expect(await service.mailedTo(id, 'deletion-reminder')).toStrictEqual([team.people.admin.id]);
});
