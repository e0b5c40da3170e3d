/** Reported facts on device pages, and devices without patch information (Contract: §3, §10, §13). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityFaults } from '#test/support/browser/check-accessibility.ts';
import { type ConsoleUnderTest, openConsole, type Person } from '#test/support/browser/console-under-test.ts';
import { aDevice } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

let under: ConsoleUnderTest;
let person: Person;

const SOFTWARE = Array.from({ length: 1_002 }, (_, i) => ({ name: `title ${1_000 + i}`, version: null }));

beforeAll(async () => {
  under = await openConsole();
  const [orgId] = under.orgIds;
  if (orgId === undefined) throw new Error('the console has no organization');
  await loadFleet(under.composition.backend, [
    aDevice({
      orgId,
      hostname: 'full',
      volumes: [
        { name: 'C:', filesystem: 'NTFS', totalGb: 475.4, freeGb: 9.5 },
        { name: 'D:', filesystem: null, totalGb: null, freeGb: null },
      ],
      software: SOFTWARE,
    }),
    aDevice({ orgId, hostname: 'unpatched', patches: [{ id: null, title: 'KB "1"', status: 'pending' }] }),
    aDevice({ orgId, hostname: 'failed', patches: [{ id: null, title: 'KB "1"', status: 'failed' }] }),
    aDevice({ orgId, hostname: 'well-kept', patches: [] }),
    aDevice({ orgId, hostname: 'silent' }),
  ]);
  person = await under.addPerson({ membership: { scope: 'system' } });
});

afterAll(() => under.close());

const COUNT = /^\d+ devices?$/;

test('a device page shows the volumes, and the beginning of a long software list', async () => {
  const page = await under.openPageAs(person);
  await page.goto('/devices?q=full');
  await page.getByRole('link', { name: 'full' }).click();
  await page.getByRole('tab', { name: 'Hardware' }).click();
  const rows = page.getByRole('table', { name: 'Volumes' }).getByRole('row');
  await rows.first().waitFor();
  const cells = (await rows.allInnerTexts()).map((row) => row.split(/\s*\t\s*/));
  expect(cells).toStrictEqual([
    ['Volume', 'In use', 'Free', 'Size', 'File system'],
    ['C:', '98%', '9.5 GB', '475.4 GB', 'NTFS'],
    ['D:', '—', '—', '—', '—'],
  ]);
  expect(await accessibilityFaults(page)).toStrictEqual([]);
  await page.getByRole('tab', { name: 'Software 1,002' }).click();
  await page.getByText('The first 1,000 of 1,002 are shown.').waitFor();
  await page.getByText('1,002 installed').waitFor();
  await page.getByRole('tab', { name: 'Patches' }).click();
  await page.getByText('No patch information for this device.').waitFor();
  expect(under.problems()).toStrictEqual([]);
});

test.each([
  ['patches.pending:no', '2 of these have no patch information', 2],
  ['-patches.pendingTitle:kb host:silent', '1 of these has no patch information', 1],
  ['patches.pending:yes', '2 other devices have no patch information', 2],
  ['patches.failedTitle:kb OR host:silent', '1 of these has no patch information', 1],
])('the list for %s says how many have no patch information', async (q, text, count) => {
  const page = await under.openPageAs(person);
  await page.goto(`/devices?q=${encodeURIComponent(q)}`);
  await page.getByRole('link', { name: text }).click();
  await page
    .getByRole('status')
    .filter({ hasText: new RegExp(`^${count} devices?$`) })
    .first()
    .waitFor();
  expect(under.problems()).toStrictEqual([]);
});

test('a list whose filter does not ask for patches does not mention patch information', async () => {
  const page = await under.openPageAs(person);
  await page.goto('/devices?q=host:silent');
  await page.getByRole('status').filter({ hasText: COUNT }).first().waitFor();
  expect(await page.getByText('no patch information').count()).toBe(0);
});

test('the builder says how many devices have no patch information, too', async () => {
  const page = await under.openPageAs(person);
  await page.goto(`/filters/new?q=${encodeURIComponent('patches.pending:no')}`);
  await page.getByText('2 of these have no patch information').waitFor();
  expect(under.problems()).toStrictEqual([]);
});

test('the numbers of a patch link to its devices', async () => {
  const page = await under.openPageAs(person);
  for (const [column, hostname] of [
    [1, 'unpatched'],
    [3, 'failed'],
  ] as const) {
    await page.goto('/patches');
    const row = page.getByRole('table', { name: 'Patches' }).getByRole('row').nth(1);
    await row.getByRole('cell').nth(column).getByRole('link', { name: '1' }).click();
    await page.getByRole('link', { name: hostname }).waitFor();
    await page
      .getByRole('status')
      .filter({ hasText: /^1 device$/ })
      .first()
      .waitFor();
  }
  expect(under.problems()).toStrictEqual([]);
});

test('the dashboard says how many devices have no patch information', async () => {
  const page = await under.openPageAs(person);
  await page.goto('/');
  await page.getByRole('link', { name: '2 without patch information' }).click();
  await page
    .getByRole('status')
    .filter({ hasText: /^2 devices$/ })
    .first()
    .waitFor();
  expect(under.problems()).toStrictEqual([]);
});
