/** The end of a device in the console: deleted, or merged with another (Contract: §10). */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { NO_HARDWARE } from '#domain/device/device.ts';
import type { OrgId } from '#domain/ids.ts';
import { type ConsoleUnderTest, openConsole } from '#test/support/browser/console-under-test.ts';
import { aCustomField, aDevice, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

let under: ConsoleUnderTest;

beforeAll(async () => {
  under = await openConsole();
});
afterAll(() => under.close());
afterEach(() => {
  expect(under.problems()).toStrictEqual([]);
});

const addTechnician = () =>
  under.addPerson({ name: 'Mara Keller', membership: { scope: 'system' }, permissions: ['devices:write'] });

const orgId = () => under.orgIds[0] as OrgId;

test('a device is deleted once its name is typed, and leaves the list and the recents', async () => {
  const device = aDevice({ orgId: orgId(), hostname: 'HAM-WS-0001' });
  await loadFleet(under.composition.backend, [device]);
  const page = await under.openPageAs(await addTechnician());
  await page.goto(`/devices/${device.id}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete HAM-WS-0001?' });
  await dialog.getByRole('button', { name: 'Delete device' }).click();
  await dialog.getByRole('alert').getByText('That is not the name.').waitFor();
  await dialog.getByLabel('Type HAM-WS-0001 to confirm').fill('HAM-WS-0001');
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('Deleted HAM-WS-0001.').waitFor();
  expect(new URL(page.url()).pathname).toBe('/devices');
  await page.getByRole('status').getByText('0 devices').waitFor();
  await dialog.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await palette.getByRole('option').first().waitFor();
  expect(await palette.getByText('HAM-WS-0001').count()).toBe(0);
});

test('a merge without a second device says what is missing', async () => {
  const device = aDevice({ orgId: orgId(), hostname: 'ham-ws-0002' });
  await loadFleet(under.composition.backend, [device]);
  const page = await under.openPageAs(await addTechnician());
  await page.goto(`/devices/${device.id}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Merge with…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Merge two devices' });
  await dialog.getByRole('button', { name: 'Merge into ham-ws-0002' }).click();
  await dialog.getByRole('alert').getByText('Choose the device that becomes part of this one.').waitFor();
  expect(await dialog.getByRole('combobox').getAttribute('aria-invalid')).toBe('true');
});

test('two devices of one machine are merged on the page "Duplicates"', async () => {
  const [server, laptop] = [
    aDevice({ orgId: orgId(), hostname: 'ham-srv-0008', displayName: 'HAM-SRV-0008', tags: ['core'] }),
    aDevice({ orgId: orgId(), hostname: 'ham-srv-0008', displayName: 'LAPTOP-OLD', tags: ['vip'] }),
  ];
  await loadFleet(under.composition.backend, [server, laptop]);
  const page = await under.openPageAs(await addTechnician());
  await page.goto('/devices');
  await page.getByRole('link', { name: 'Duplicates' }).click();
  await page.getByRole('heading', { name: 'Duplicates', level: 1 }).waitFor();
  await page
    .getByRole('row', { name: /LAPTOP-OLD/ })
    .getByRole('button', { name: 'Merge' })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Merge two devices' });
  const names = dialog.getByRole('row', { name: /^Display name/ });
  await names.getByRole('cell', { name: 'HAM-SRV-0008' }).nth(1).waitFor();
  await dialog.getByRole('button', { name: 'Swap' }).click();
  await dialog.getByRole('button', { name: 'Merge into LAPTOP-OLD' }).waitFor();
  await dialog.getByRole('button', { name: 'Swap' }).click();
  await dialog.getByRole('button', { name: 'Merge into HAM-SRV-0008' }).click();
  await page.getByRole('status').getByText('Merged. LAPTOP-OLD is gone.').waitFor();
  await page.getByRole('heading', { name: 'HAM-SRV-0008', level: 1 }).waitFor();
  await page.getByRole('list', { name: 'Tags' }).getByText('vip').waitFor();
});

test('two different machines are merged only when the person confirms, and the table says what stays', async () => {
  const owner = { kind: 'organization', orgId: orgId() } as const;
  const fields = ['rack', 'owner', 'unused'].map((key) => aCustomField({ owner, key, name: `Its ${key}` }));
  const withSerial = (serialNumber: string) => ({ hardware: { ...NO_HARDWARE, serialNumber } });
  const [kept, gone] = [
    aDevice({
      ...{ orgId: orgId(), hostname: 'srv-kept', enrolledAt: Date.parse('2026-03-01T12:00:00Z') },
      ...{ ...withSerial('S-1'), custom: new Map([['rack', 'R1']]) },
    }),
    aDevice({
      ...{ orgId: orgId(), hostname: 'srv-gone', enrolledAt: Date.parse('2025-02-01T12:00:00Z') },
      ...{
        ...withSerial('S-2'),
        custom: new Map([
          ['rack', 'R2'],
          ['owner', 'Finance'],
        ]),
      },
    }),
  ];
  await loadFleet(under.composition.backend, [...fields, kept, gone]);
  const page = await under.openPageAs(await addTechnician());
  await page.goto(`/devices/${kept.id}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Merge with…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Merge two devices' });
  await dialog.getByRole('combobox', { name: 'Other device' }).fill('srv-gone');
  await page.getByRole('option', { name: 'srv-gone' }).click();
  const cellsOf = (title: string) =>
    dialog
      .getByRole('row', { name: new RegExp(`^${title}`) })
      .getByRole('cell')
      .allInnerTexts();
  await dialog.getByRole('row', { name: /^Its rack/ }).waitFor();
  expect(await cellsOf('Its rack')).toStrictEqual(['R1', 'R2\n(differs)', 'R1']);
  expect(await cellsOf('Its owner')).toStrictEqual(['—', 'Finance\n(differs)', 'Finance']);
  expect(await cellsOf('Its unused')).toStrictEqual([]);
  expect(await cellsOf('Enrolled')).toStrictEqual([
    expect.stringContaining('2026'),
    expect.stringContaining('2025'),
    expect.stringContaining('2025'),
  ]);

  await dialog.getByRole('button', { name: 'Merge into srv-kept', exact: true }).click();
  await dialog.getByRole('alert').waitFor();
  expect(await under.composition.backend.deviceReader.find(SYSTEM_SCOPE, gone.id)).not.toBeNull();
  await dialog.getByRole('button', { name: 'Merge into srv-kept anyway' }).click();
  await page.getByRole('status').getByText('Merged. srv-gone is gone.').waitFor();
  await page.getByText('Finance', { exact: true }).waitFor();
  expect(await under.composition.backend.deviceReader.find(SYSTEM_SCOPE, gone.id)).toBeNull();
});
