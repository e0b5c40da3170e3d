/**
 * Everything that opens over a page is accessible in every look, closes on Esc, and gives the focus back
 * (Contract: §14).
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { PlacePath } from '#adapters/web/places.ts';
import type { FilterId, OrgId } from '#domain/ids.ts';
import { focusOf } from '#test/support/browser/check-focus.ts';
import { faultsInEveryLook } from '#test/support/browser/check-looks.ts';
import { type ConsoleUnderTest, openConsole, type Person } from '#test/support/browser/console-under-test.ts';
import { type EveryPlace, fillPlaces } from '#test/support/browser/every-place.ts';
import { aSubscription, SYSTEM_SCOPE } from '#test/support/builders.ts';

let under: ConsoleUnderTest;
let places: EveryPlace;
let person: Person;
let page: Page;

beforeAll(async () => {
  under = await openConsole();
  places = await fillPlaces(under);
  person = await places.addAdministrator();
  const filterId = places.visits['/filters/:id'].address.replace('/filters/', '') as FilterId;
  const webhook = { kind: 'webhook', url: 'https://hook.example/fleet' } as const;
  await under.composition.backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
    const [orgId] = under.orgIds as [OrgId];
    await tx.subscriptions.add(aSubscription({ filterId, orgId, name: 'Ring' }));
    await tx.subscriptions.add(aSubscription({ filterId, orgId, name: 'Hook', ...webhook }));
  });
  page = await under.openPageAs(person);
});

afterAll(() => under.close());

afterEach(() => {
  expect(under.problems()).toStrictEqual([]);
});

async function visit(path: PlacePath): Promise<void> {
  const { address, shows } = places.visits[path];
  await page.goto(address);
  await shows(page).waitFor();
}

interface Floating {
  readonly name: string;
  readonly at: PlacePath;
  /** The component, if it is a dialog. */
  readonly file?: string;
  readonly before?: () => Promise<void>;
  /** The button that opens it. Without one, `keys` do. */
  readonly button?: string | RegExp;
  /** The entry of the menu that the button opens. */
  readonly item?: string;
  readonly keys?: string;
  readonly shows: () => Locator;
}

const dialog = (name?: string | RegExp) => page.getByRole('dialog', name === undefined ? {} : { name });

const openLive = async () => {
  await page.getByRole('tab', { name: 'Live' }).click();
  await page.getByRole('button', { name: 'Actions for Hook' }).waitFor();
};

const FLOATING: readonly Floating[] = [
  {
    name: 'the palette',
    file: 'palette/palette.tsx',
    at: '/',
    keys: 'Control+k',
    shows: () => page.getByRole('option').first(),
  },
  {
    name: 'the shortcut card',
    file: 'keys/shortcuts-card.tsx',
    at: '/',
    keys: '?',
    shows: () => dialog(),
  },
  {
    name: 'the help',
    at: '/alerts',
    button: 'Help',
    shows: () => page.getByRole('complementary', { name: 'Help' }),
  },
  {
    name: 'the user menu',
    at: '/',
    button: 'Mara Keller',
    shows: () => page.getByRole('menuitem', { name: 'Sign out' }),
  },
  {
    name: 'the organization picker',
    at: '/scripts',
    button: /^Organization/,
    shows: () => page.getByRole('option', { name: 'Arden Manufacturing' }),
  },
  {
    name: 'the filter syntax',
    file: 'pages/devices/dialogs/syntax-dialog.tsx',
    at: '/devices',
    button: 'Filter syntax',
    shows: () => dialog('Filter syntax'),
  },
  {
    name: 'the export dialog',
    file: 'pages/devices/dialogs/export-dialog.tsx',
    at: '/devices',
    button: 'Export',
    shows: () => dialog('Export devices'),
  },
  {
    name: 'the column menu',
    at: '/devices',
    button: 'Columns',
    shows: () => page.getByRole('menuitemcheckbox', { name: 'Tags' }),
  },
  {
    name: 'the dialog to save a filter',
    file: 'pages/devices/dialogs/save-filter-dialog.tsx',
    at: '/devices',
    button: 'Save as filter',
    shows: () => dialog('Save as filter'),
  },
  {
    name: 'the dialog to explain a filter',
    file: 'pages/devices/dialogs/explain-dialog.tsx',
    at: '/devices',
    button: 'Explain',
    shows: () => dialog(),
  },
  {
    name: 'the dialog to show versions of a title',
    file: 'pages/devices/table/columns-menu.tsx',
    at: '/devices',
    button: 'Columns',
    item: 'Add a title…',
    shows: () => dialog('Show versions of a title'),
  },
  {
    name: 'the form of a condition',
    file: 'pages/devices/filter/chip-form.tsx',
    at: '/devices',
    button: 'OS Type is linux',
    shows: () => dialog('Edit “OS Type is linux”'),
  },
  {
    name: 'the dialog to tag devices',
    file: 'pages/devices/selection/bulk-dialog.tsx',
    at: '/devices',
    before: () => page.getByRole('checkbox', { name: 'Select bor-ws-9', exact: true }).check(),
    button: 'Tag 1 device',
    shows: () => dialog('Tag 1 device'),
  },
  {
    name: 'the dialog to decommission a device',
    file: 'pages/settings/confirm-dialog.tsx',
    at: '/devices/:id',
    button: 'Set status',
    item: 'Decommissioned, until changed',
    shows: () => dialog(/^Decommission /),
  },
  {
    name: 'the dialog to delete a device',
    file: 'pages/device/end-dialogs.tsx',
    at: '/devices/:id',
    button: 'More actions',
    item: 'Delete…',
    shows: () => dialog(/^Delete /),
  },
  {
    name: 'the dialog to merge devices',
    file: 'pages/device/end-dialogs.tsx',
    at: '/devices/:id',
    button: 'More actions',
    item: 'Merge with…',
    shows: () => dialog('Merge two devices'),
  },
  {
    name: 'the menu of a filter',
    at: '/filters',
    button: 'Actions for Full disks',
    shows: () => page.getByRole('menuitem', { name: 'Duplicate' }),
  },
  {
    name: 'the dialog to reject a request',
    file: 'pages/administration/decision-dialog.tsx',
    at: '/admin/account-deletion-requests/:id',
    button: 'Reject',
    shows: () => dialog('Reject request'),
  },
  {
    name: 'the dialog to approve a request',
    at: '/admin/account-deletion-requests/:id',
    button: 'Approve',
    shows: () => dialog('Approve deletion'),
  },
  {
    name: 'the dialog to replace the recovery codes',
    file: 'pages/settings/security/second-factor.tsx',
    at: '/settings/security',
    button: 'New recovery codes…',
    shows: () => dialog('New recovery codes'),
  },
  {
    name: 'the dialog to replace the second factor',
    file: 'pages/settings/security/enrollment-dialog.tsx',
    at: '/settings/security',
    button: 'Replace the app…',
    shows: () => dialog().getByLabel('Password'),
  },
  {
    name: 'the dialog to create an API key',
    file: 'pages/settings/api-keys/create-key-dialog.tsx',
    at: '/settings/api-keys',
    button: 'Create key',
    shows: () => dialog().getByLabel('Name'),
  },
  {
    name: 'the dialog to add a passkey',
    file: 'pages/settings/security/passkey-list.tsx',
    at: '/settings/security',
    button: 'Add a passkey…',
    shows: () => dialog('Add a passkey'),
  },
  {
    name: 'the dialog to add a subscription',
    file: 'pages/filters/edit/live/subscription-dialogs.tsx',
    at: '/filters/:id',
    before: openLive,
    button: 'Add subscription',
    shows: () => dialog('Add a subscription'),
  },
  {
    name: 'the dialog to renew the secret of a webhook',
    file: 'pages/filters/edit/live/subscription-dialogs.tsx',
    at: '/filters/:id',
    before: openLive,
    button: 'Actions for Hook',
    item: 'Renew secret',
    shows: () => dialog(/^Renew the secret/),
  },
  {
    name: 'the instructions to read a feed',
    file: 'pages/filters/edit/live/subscription-dialogs.tsx',
    at: '/filters/:id',
    before: openLive,
    button: 'Actions for Ring',
    item: 'How to read it',
    shows: () => dialog('Reading “Ring”'),
  },
  {
    name: 'the deliveries of a webhook',
    file: 'pages/filters/edit/live/deliveries-dialog.tsx',
    at: '/filters/:id',
    before: openLive,
    button: 'Actions for Hook',
    item: 'Deliveries',
    shows: () => dialog('Deliveries of “Hook”'),
  },
  {
    name: 'the dialog to add a site',
    file: 'pages/organization/name-dialog.tsx',
    at: '/organizations/:id',
    button: 'Add site',
    shows: () => dialog('Add a site'),
  },
  {
    name: 'the enrolment keys',
    file: 'pages/enrolment/keys-dialog.tsx',
    at: '/organizations',
    button: 'Enrolment keys for Arden Manufacturing',
    shows: () => dialog('Enrolment keys for Arden Manufacturing'),
  },
  {
    name: 'the dialog to add a machine',
    file: 'pages/enrolment/add-machine-dialog.tsx',
    at: '/organizations',
    button: 'Add a machine',
    shows: () => dialog('Add a machine'),
  },
  {
    name: 'the invitation',
    file: 'pages/people/invite-dialog.tsx',
    at: '/people',
    button: 'Invite',
    shows: () => dialog('Invite someone'),
  },
  {
    name: 'the dialog to change access',
    file: 'pages/people/access-dialog.tsx',
    at: '/people/:id',
    button: 'Change access…',
    shows: () => dialog(/^Change access of/),
  },
  {
    name: 'the dialog to add an identity provider',
    file: 'pages/identity-providers/provider-dialog.tsx',
    at: '/admin/identity-providers',
    button: 'Add identity provider',
    shows: () => dialog('Add an identity provider'),
  },
];

/** Dialogs that need more than a page and a button, with the file whose test presses Esc in them. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'shell/sign-out.tsx': 'sign-in.slow.browser.test.ts',
  'pages/filters/edit/leave-dialog.tsx': 'filters.slow.browser.test.ts',
  'session/step-up-dialog.tsx': 'step-up.slow.browser.test.ts',
  // Stays on Esc, because nothing works without a session.
  'session/sign-in-again-dialog.tsx': 'ended-session.slow.browser.test.ts',
  'pages/filters/edit/guard/use-guarded.tsx': 'filter-history.slow.browser.test.ts',
  'pages/filters/list/used-dialog.tsx': 'filter-live.slow.browser.test.ts',
};

const CLIENT = join(import.meta.dirname, '../../src/adapters/web/client');

test('every component with a dialog is in this file, or another test presses Esc in it', () => {
  const withDialog = globSync('{keys,pages,palette,session,shell}/**/*.tsx', { cwd: CLIENT }).filter((file) =>
    /<(?:Form)?Dialog(?:>|\s+[a-z])/.test(readFileSync(join(CLIENT, file), 'utf8')),
  );
  const known = new Set([...FLOATING.flatMap(({ file }) => file ?? []), ...Object.keys(ELSEWHERE)]);
  expect(withDialog.toSorted()).toStrictEqual([...known].toSorted());
  for (const test of Object.values(ELSEWHERE)) {
    expect(readFileSync(join(import.meta.dirname, test), 'utf8'), test).toContain("press('Escape')");
  }
});

/** Parts of forms in dialogs that are too near to the part above. Each has at least 12 pixels above. */
const crowded = () =>
  page.getByRole('dialog').evaluateAll((dialogs) =>
    dialogs
      .flatMap((one) => [...one.querySelectorAll(':scope > form')])
      .flatMap((parent) => {
        const parts = [...parent.children].filter((part) => part.getBoundingClientRect().height > 1);
        return parts.slice(1).filter((part, i) => {
          const above = parts[i]?.getBoundingClientRect().bottom ?? 0;
          return part.getBoundingClientRect().top - above < 12;
        });
      })
      .map(({ tagName, textContent }) => `${tagName} ${textContent}`),
  );

describe.each(FLOATING)('$name', ({ at, before, button, item, keys = 'Enter', shows }) => {
  test('is accessible, closes on Esc, and gives the focus back', async () => {
    await visit(at);
    await before?.();
    const from =
      button === undefined
        ? page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Scripts' })
        : page.getByRole('button', { name: button }).first();
    await from.focus();
    await page.keyboard.press(keys);
    if (item !== undefined) await page.getByRole('menuitem', { name: item }).click();
    await shows().waitFor();
    await expect.poll(() => from.and(page.locator(':focus')).count()).toBe(0);
    await expect.poll(() => focusOf(page)).not.toBe('body');
    expect(await faultsInEveryLook(page)).toStrictEqual([]);
    expect(await crowded()).toStrictEqual([]);
    await page.keyboard.press('Escape');
    await shows().waitFor({ state: 'detached' });
    await from.and(page.locator(':focus')).waitFor();
  });
});
