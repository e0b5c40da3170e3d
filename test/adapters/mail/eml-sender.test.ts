/** Mails as files, if no mail server is configured. */
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeEmlRemover, makeEmlSender } from '#adapters/mail/eml-sender.ts';
import type { OutgoingMail } from '#application/ports/mail/mail-sender.ts';
import { renderMail } from '#domain/mail/render-mail.ts';
import { newId, SOME_INSTANT } from '#test/support/builders.ts';
import { aMailOfKind, aMailRecipient } from '#test/support/mail/mails.ts';

const NEVER = new AbortController().signal;
const FROM = { name: 'Fleetsift', address: 'fleetsift@localhost' };

let root: string;
let directory: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'fleetsift-mail-'));
  directory = join(root, 'data', 'mail');
});

afterEach(() => rm(root, { recursive: true, force: true }));

function anOutgoingMail(email = 'ada@example.com', name = 'Ada Löwe'): OutgoingMail {
  const mail = aMailOfKind('deletion-approved', { to: aMailRecipient({ name, email }) });
  return { id: newId(), email, queuedAt: SOME_INSTANT, ...renderMail(mail, 'https://fleet.example.com') };
}

describe('a mail as a file', () => {
  test('has its headers and both bodies, and only its owner can read it', async () => {
    const mail = anOutgoingMail();
    expect(await makeEmlSender({ directory, from: FROM })(mail, NEVER)).toStrictEqual({ result: 'sent' });
    expect(await readdir(directory)).toStrictEqual([`${mail.id}.eml`]);
    const path = join(directory, `${mail.id}.eml`);
    const contents = await readFile(path);
    expect(await PostalMime.parse(contents)).toMatchObject({
      messageId: `<${mail.id}@localhost>`,
      from: { name: 'Fleetsift', address: 'fleetsift@localhost' },
      to: [{ name: 'Ada Löwe', address: 'ada@example.com' }],
      subject: mail.subject,
      date: '2026-02-10T08:00:00.000Z',
      text: expect.stringContaining('Hello Ada Löwe,'),
      html: expect.stringContaining('Hello Ada Löwe,'),
    });
    expect(contents.toString('latin1').replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
  });

  test('keeps ASCII lines whole, so that a link can be copied', async () => {
    const mail = anOutgoingMail('ada@example.com', 'Ada');
    const link = `https://${'long-'.repeat(20)}name.example.com/account/delete`;
    const text = `${mail.text}.\n${link}\n`;
    await makeEmlSender({ directory, from: FROM })({ ...mail, text }, NEVER);
    const contents = await readFile(join(directory, `${mail.id}.eml`));
    expect(contents.toString('latin1')).toContain(`\r\n${link}\r\n`);
    expect((await PostalMime.parse(contents)).text?.trimEnd()).toBe(text.trimEnd());
  });

  test.each(['x'.repeat(999), 'a\rb', 'ü'])('encodes a line that is unsafe to send: %j', async (line) => {
    const mail = { ...anOutgoingMail(), text: `One\n${line}\nThree` };
    await makeEmlSender({ directory, from: FROM })(mail, NEVER);
    const contents = await readFile(join(directory, `${mail.id}.eml`));
    const longest = Math.max(
      ...contents
        .toString('latin1')
        .split('\r\n')
        .map(({ length }) => length),
    );
    expect(longest).toBeLessThanOrEqual(76);
    expect((await PostalMime.parse(contents)).text).toContain(line.slice(-1));
  });

  test('replaces itself when it is sent again, and leaves no other file', async () => {
    const send = makeEmlSender({ directory, from: FROM });
    const [mail, other] = [anOutgoingMail(), anOutgoingMail()];
    for (const sent of [mail, mail, other]) await send(sent, NEVER);
    expect((await readdir(directory)).toSorted()).toStrictEqual(
      [`${mail.id}.eml`, `${other.id}.eml`].toSorted(),
    );
  });

  test('is written even for an address that no server would accept', async () => {
    const mail = anOutgoingMail('not an address');
    expect(await makeEmlSender({ directory, from: FROM })(mail, NEVER)).toStrictEqual({ result: 'sent' });
  });

  test('waits if the directory cannot be created', async () => {
    await writeFile(join(root, 'data'), 'a file in its way');
    expect(await makeEmlSender({ directory, from: FROM })(anOutgoingMail(), NEVER)).toStrictEqual({
      result: 'unreachable',
      problem: `cannot write to ${directory} (ENOTDIR)`,
      code: 'ENOTDIR',
    });
  });

  test('waits if a directory has its name, and leaves no half-written file', async () => {
    const send = makeEmlSender({ directory, from: FROM });
    const [mail, first] = [anOutgoingMail(), anOutgoingMail()];
    await send(first, NEVER);
    await makeEmlSender({ directory: join(directory, `${mail.id}.eml`), from: FROM })(first, NEVER);
    expect(await send(mail, NEVER)).toMatchObject({ result: 'unreachable', code: 'EISDIR' });
    expect((await readdir(directory)).toSorted()).toStrictEqual(
      [`${first.id}.eml`, `${mail.id}.eml`].toSorted(),
    );
  });
});

describe('removing mails', () => {
  test('deletes their files, whole and half-written, and no others', async () => {
    const send = makeEmlSender({ directory, from: FROM });
    const [mail, other] = [anOutgoingMail(), anOutgoingMail()];
    for (const sent of [mail, other]) await send(sent, NEVER);
    await writeFile(join(directory, `.${mail.id}.eml.4711`), 'From: ');
    await writeFile(join(directory, 'notes.txt'), `${mail.id}.eml`);
    const remove = makeEmlRemover({ directory });
    for (let times = 0; times < 2; times++) {
      await remove([mail.id, newId()]);
      expect((await readdir(directory)).toSorted()).toStrictEqual(
        [`${other.id}.eml`, 'notes.txt'].toSorted(),
      );
    }
  });

  test('does nothing if no mail was ever written', async () => {
    await expect(makeEmlRemover({ directory })([newId()])).resolves.toBeUndefined();
  });

  test('fails if the directory cannot be read', async () => {
    await writeFile(join(root, 'data'), 'a file in its way');
    await expect(makeEmlRemover({ directory })([newId()])).rejects.toThrow('ENOTDIR');
  });
});
