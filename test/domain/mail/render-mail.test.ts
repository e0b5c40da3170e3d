/** What mails say. A typed text adds nothing to a mail but its words. */
import { describe, expect, test } from 'vitest';
import { MAIL_KINDS, type QueuedMail } from '#domain/mail/queued-mail.ts';
import { renderMail } from '#domain/mail/render-mail.ts';
import { newId, SOME_INSTANT } from '#test/support/builders.ts';
import { aMailOfKind, aMailRecipient } from '#test/support/mail/mails.ts';
import { HOSTILE_TEXTS, INVISIBLE_TEXTS } from './hostile-texts.ts';

const BASE_URL = 'https://fleet.example.com';
const DAYS_30 = 720 * 3_600_000;

const requestId = newId<'deletion-request'>();
const render = (mail: QueuedMail) => renderMail({ ...mail, requestId }, BASE_URL);

/** Every place where a typed text gets into a mail. */
const PLACES: readonly (readonly [place: string, isOneLine: boolean, fill: (typed: string) => QueuedMail])[] =
  [
    [
      'the name of the greeted person',
      true,
      (name) => aMailOfKind('deletion-approved', { to: aMailRecipient({ name }) }),
    ],
    [
      'the name of a requester',
      true,
      (name) =>
        aMailOfKind('deletion-review', {
          facts: { requester: aMailRecipient({ name, email: 'r@example.com' }) },
        }),
    ],
    [
      'the address of a requester',
      true,
      (email) =>
        aMailOfKind('deletion-review', { facts: { requester: aMailRecipient({ email, name: 'Grace' }) } }),
    ],
    ['a reason', false, (reason) => aMailOfKind('deletion-review', { facts: { reason } })],
    ['a reason in a reminder', false, (reason) => aMailOfKind('deletion-reminder', { facts: { reason } })],
    ['the name of a filter', true, (filterName) => aMailOfKind('filter-count', { facts: { filterName } })],
    [
      'the name of a subscription',
      true,
      (subscriptionName) => aMailOfKind('filter-changes', { facts: { subscriptionName } }),
    ],
    [
      'a hostname',
      true,
      (name) => aMailOfKind('filter-changes', { facts: { entered: { count: 1, names: [name] } } }),
    ],
    ['a note', false, (adminNote) => aMailOfKind('deletion-rejected', { facts: { adminNote } })],
  ];

const CASES = PLACES.flatMap(([place, isOneLine, fill]) =>
  HOSTILE_TEXTS.map(
    ([what, typed, seen]) => [what, place, typed, isOneLine ? [onOneLine(seen)] : seen, fill] as const,
  ),
);

describe('a typed text', () => {
  test.each(CASES)(
    'such as %s in %s shows unchanged in the HTML, and adds no markup',
    (_what, _place, typed, seen, fill) => {
      const { html } = render(fill(typed));
      const harmless = render(fill(seen.map(() => 'x').join('\n')));
      expect(tagsOf(html)).toStrictEqual(tagsOf(harmless.html));
      expect(shownIn(html)).toContain(seen.join('\n'));
    },
  );

  test.each(CASES)(
    'such as %s in %s stays on its own lines of the plain text',
    (_what, _place, typed, seen, fill) => {
      const lines = render(fill(typed)).text.split('\n');
      const harmless = render(fill(seen.map(() => 'x').join('\n'))).text.split('\n');
      expect(lines).toHaveLength(harmless.length);
      const isMarked = seen.every((line) => lines.includes(`> ${line}`.trimEnd()));
      const isWithinOurs = seen.length === 1 && lines.some((line) => line.includes(seen[0] ?? ''));
      expect(isMarked || isWithinOurs).toBe(true);
      expect(lines.filter((line) => line === '-- ')).toHaveLength(1);
      expect(lines.join('')).not.toMatch(/[\r\0\u2028\u2029\u0085\u202e]/);
    },
  );

  test.each(CASES)('such as %s in %s stays out of the subject', (_what, _place, typed, _seen, fill) => {
    expect(render(fill(typed)).subject).toBe(render(fill('x')).subject);
  });

  test.each(INVISIBLE_TEXTS)('is left out if nothing of it is visible: %j', (text) => {
    const unnamed = render(aMailOfKind('deletion-approved', { to: aMailRecipient({ name: text }) }));
    expect(unnamed.text).toContain('\nHello,\n');
    expect(unnamed.html).toContain('>Hello,<');
    const review = render(aMailOfKind('deletion-review', { facts: { reason: text } }));
    expect(review.text).toContain('They gave no reason.');
    const rejected = render(aMailOfKind('deletion-rejected', { facts: { adminNote: text } }));
    expect(rejected.text).toContain('The administrator gave no reason.');
  });

  test('is cut in a long name, but complete in a reason and a note', () => {
    const long = 'é'.repeat(2_000);
    const greeted = render(aMailOfKind('deletion-approved', { to: aMailRecipient({ name: long }) }));
    expect(greeted.text).toContain(`Hello ${'é'.repeat(99)}…,`);
    expect(render(aMailOfKind('deletion-review', { facts: { reason: long } })).text).toContain(`> ${long}\n`);
    expect(render(aMailOfKind('deletion-rejected', { facts: { adminNote: long } })).text).toContain(
      `> ${long}\n`,
    );
  });
});

describe('a mail', () => {
  test('for review names the requester, the reason and the deadline, and links to the request', () => {
    const requester = aMailRecipient({ name: 'Grace Hopper', email: 'grace@example.com' });
    const facts = {
      requester,
      reason: 'Moving on.',
      requestedAt: SOME_INSTANT,
      processBy: SOME_INSTANT + DAYS_30,
    };
    const mail = aMailOfKind('deletion-review', { facts });
    const url = `${BASE_URL}/admin/account-deletion-requests/${requestId}`;
    const { subject, text, html } = render(mail);
    expect(subject).toBe('An account deletion request is waiting for your review');
    for (const shown of [text, shownIn(html)]) {
      expect(shown).toContain('Grace Hopper has asked for their account to be deleted.');
      expect(shown).toContain('grace@example.com');
      expect(shown).toContain('Moving on.');
      expect(shown).toContain('Tuesday, 10 February 2026 at 08:00 UTC');
      expect(shown).toContain('Thursday, 12 March 2026 at 08:00 UTC');
      expect(shown).toContain(url);
    }
    expect(html.match(/href="([^"]*)"/g)).toStrictEqual([`href="${url}"`, `href="${url}"`]);
  });

  test('for review uses the address of a requester without a name', () => {
    const requester = aMailRecipient({ name: null, email: 'grace@example.com' });
    const { text } = render(aMailOfKind('deletion-review', { facts: { requester, reason: null } }));
    expect(text).toContain('grace@example.com has asked for their account to be deleted.');
    expect(text).not.toContain('Name:');
  });

  test('of reminder says since when the request waits, and by when it is due', () => {
    const mail = aMailOfKind('deletion-reminder', { facts: { reason: 'Moving on.' } });
    const url = `${BASE_URL}/admin/account-deletion-requests/${requestId}`;
    const { subject, text, html } = render(mail);
    expect(subject).toBe('An account deletion request still waits for your review');
    for (const shown of [text, shownIn(html)]) {
      expect(shown).toContain(
        'Grace Hopper asked on Tuesday, 10 February 2026 for their account to be deleted, and nobody has decided yet.',
      );
      expect(shown).toContain('Moving on.');
      expect(shown).toContain('To be processed by');
      expect(shown).toContain('Thursday, 12 March 2026 at 08:00 UTC');
      expect(shown).toContain(url);
      expect(shown).not.toContain('Deletion date, if approved');
    }
    expect(html.match(/href="([^"]*)"/g)).toStrictEqual([`href="${url}"`, `href="${url}"`]);
  });

  test('of a reset second factor fits people without a password, and without a factor', () => {
    const { subject, text, html } = render(aMailOfKind('mfa-removed'));
    expect(subject).toBe('The second factor of your account was reset');
    for (const shown of [text.replaceAll('\n', ' '), shownIn(html)]) {
      expect(shown).toContain(
        'If you had an authenticator app, passkeys or recovery codes, they no longer work.',
      );
      expect(shown).toContain('Sign in with your password or your identity provider,');
    }
  });

  test('of approval says when the account is deleted', () => {
    const { subject, text, html } = render(aMailOfKind('deletion-approved'));
    expect(subject).toBe('Your account deletion request was approved');
    for (const shown of [text, shownIn(html)]) {
      expect(shown).toContain('Your account will be deleted on Thursday, 12 March 2026');
      expect(shown).toContain('Hello Ada Lovelace,');
    }
  });

  test('of rejection carries the note, and says that the account stays', () => {
    const mail = aMailOfKind('deletion-rejected', { facts: { adminNote: 'First line.\n\nLast line.' } });
    const { subject, text, html } = render(mail);
    expect(subject).toBe('Your account deletion request was declined');
    expect(text).toContain('> First line.\n>\n> Last line.\n');
    expect(shownIn(html)).toContain('First line.\n\nLast line.');
    for (const shown of [text, shownIn(html)]) expect(shown).toContain('Your account stays active');
  });

  test('of completion says when the account was deleted, and that no other mail will follow', () => {
    const { subject, text, html } = render(aMailOfKind('deletion-completed'));
    expect(subject).toBe('Your account has been deleted');
    for (const shown of [text, shownIn(html)]) {
      expect(shown).toContain('your account was deleted on Thursday, 12 March 2026 at 08:00 UTC');
      expect(shown).toContain('This is the last mail you will receive from us');
    }
  });

  test('greets nobody by an address', () => {
    const to = aMailRecipient({ name: 'ada@example.com', email: 'ada@example.com' });
    expect(render(aMailOfKind('deletion-approved', { to })).text).toContain('\nHello,\n');
  });

  test('names days in UTC, across daylight saving and leap days', () => {
    const facts = { requestedAt: Date.UTC(2028, 1, 29, 23, 59), deletionAt: Date.UTC(2028, 2, 30, 23, 59) };
    const { text } = render(aMailOfKind('deletion-approved', { facts }));
    expect(text).toContain('Tuesday, 29 February 2028');
    expect(text).toContain('Thursday, 30 March 2028 at 23:59 UTC');
  });

  test.each(MAIL_KINDS)('of the kind %s is the same every time', (kind) => {
    const mail = aMailOfKind(kind);
    expect(render(mail)).toStrictEqual(render(structuredClone(mail)));
  });

  test.each(MAIL_KINDS)('of the kind %s has a one-line subject of plain letters and digits', (kind) => {
    expect(render(aMailOfKind(kind)).subject).toMatch(/^[A-Za-z0-9 :,]{10,60}$/);
  });

  test.each(MAIL_KINDS)(
    'of the kind %s has HTML with a language, and tables with a role or with headings',
    (kind) => {
      const { html } = render(aMailOfKind(kind));
      expect(html).toMatch(/^<!DOCTYPE html>\n<html lang="en"/);
      expect(html.match(/<h1/g)).toHaveLength(1);
      for (const [table] of html.matchAll(/<table(?![^>]*role="presentation")[^>]*>[\s\S]*?<\/table>/g)) {
        expect(table.match(/<th scope="row"/g)?.length).toBe(table.match(/<tr>/g)?.length);
      }
      expect(html).not.toMatch(/<img|<script|<link|<style|url\(|https?:(?!\/\/fleet\.example\.com)/);
    },
  );

  test('escapes the base URL, too', () => {
    const { html } = renderMail(aMailOfKind('deletion-rejected'), 'https://fleet.example.com/a"b&c');
    expect(html).toContain('href="https://fleet.example.com/a&quot;b&amp;c/account/delete"');
  });
});

/** The lines as shown where only one line fits. */
function onOneLine(lines: readonly string[]): string {
  return lines.join(' ').replace(/\s+/g, ' ').trim();
}

function tagsOf(html: string): readonly string[] {
  return html.match(/<[^>]*>/g) ?? [];
}

/** What a reader sees of the HTML: without markup, with line breaks and entities resolved. */
function shownIn(html: string): string {
  const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
  return html
    .replaceAll('<br>', '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => entities[name] ?? '');
}
