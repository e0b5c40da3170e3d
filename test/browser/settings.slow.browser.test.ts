/** What people set for themselves: profile, second factor, password, API keys (Contract: §2, §14). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { currentTotpCode } from '#adapters/auth/otpauth-totp.ts';
import { systemClock } from '#adapters/system/clock.ts';
import { accessibilityFaults } from '#test/support/browser/check-accessibility.ts';
import { type ConsoleUnderTest, openConsole } from '#test/support/browser/console-under-test.ts';

let under: ConsoleUnderTest;

beforeAll(async () => {
  under = await openConsole();
});

afterAll(() => under.close());

test('the profile shows the account, and keeps the theme and the shortcut preference', async () => {
  const person = await under.addPerson({ permissions: ['devices:write'] });
  const page = await under.openPage();
  await under.signIn(page, person, '/settings/profile');
  await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
  await page.getByText(person.email).waitFor();
  await page.getByText('One organization: Arden Manufacturing').waitFor();
  await page.getByText('Edit devices, define custom fields').waitFor();

  await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
  await page.getByRole('switch', { name: 'Single-key shortcuts' }).uncheck({ force: true });
  await page.reload();
  await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  expect(await page.getByRole('switch', { name: 'Single-key shortcuts' }).isChecked()).toBe(false);
  expect(await accessibilityFaults(page)).toStrictEqual([]);
  await page.getByRole('radio', { name: 'Light' }).check({ force: true });
  expect(await accessibilityFaults(page)).toStrictEqual([]);
  expect(under.problems()).toStrictEqual([]);
});

describe('a second factor', () => {
  test('is set up by password, secret and code, and leads back to the page that needed it', async () => {
    const person = await under.addPerson();
    const page = await under.openPage();
    await under.signIn(page, person, '/settings/api-keys');
    await page.getByText('You need a second factor to create a key').waitFor();
    await page.getByRole('link', { name: 'Set up a second factor' }).click();
    await page.getByRole('button', { name: 'Set up a second factor' }).click();

    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Password').fill('wrong password');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Password').fill(person.password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('img', { name: 'QR code for an authenticator app' }).waitFor();
    expect(await accessibilityFaults(page)).toStrictEqual([]);

    const secret = (await dialog.locator('code').innerText()).replaceAll(' ', '');
    const code = dialog.getByLabel('Authentication code');
    await code.fill('000000');
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await dialog.getByRole('alert').waitFor();
    await code.fill(currentTotpCode(secret, systemClock()));
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('dialog', { name: 'Save your recovery codes' }).waitFor();
    expect(await dialog.getByRole('listitem').count()).toBe(10);
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Save as file' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('fleetsift-recovery-codes.txt');
    // The codes are not shown again, so Esc asks first.
    await page.mouse.click(5, 5);
    await dialog.locator(':focus').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Keep it open' }).click();
    await dialog.getByRole('button', { name: 'I have saved them' }).click();
    await page.getByText('Your password alone no longer signs in.').waitFor();

    await page.getByRole('link', { name: 'Continue where you left off' }).click();
    await page.waitForURL('**/settings/api-keys');
    await page.getByRole('button', { name: 'Create key' }).waitFor();
    expect(under.problems()).toStrictEqual([]);
  });
});

test('a password is changed, and the typed text stays if the change is refused', async () => {
  const person = await under.addPerson();
  const page = await under.openPage();
  await under.signIn(page, person, '/settings/security');
  const current = page.getByLabel('Current password');
  const wanted = page.getByLabel('New password');
  const change = page.getByRole('button', { name: 'Change password' });
  await current.fill('wrong password');
  await wanted.fill('short');
  await change.click();
  await page.getByText('Use at least 8 characters.').waitFor();
  await wanted.fill('staple battery horse');
  await change.click();
  await page.getByRole('alert').waitFor();
  expect(await wanted.inputValue()).toBe('staple battery horse');
  await current.fill(person.password);
  await change.click();
  await page.getByRole('status').filter({ hasText: 'Password changed.' }).waitFor();
  expect(await current.inputValue()).toBe('');

  await under.signInByForm(await under.openPage(), { ...person, password: 'staple battery horse' });
  expect(under.problems()).toStrictEqual([]);
});

describe('an API key', () => {
  test('is shown once, works, and is refused once it is revoked', async () => {
    const person = await under.addPerson({ hasFactor: true, permissions: ['devices:write'] });
    const page = await under.openPage();
    await under.signIn(page, person, '/settings/api-keys');
    await page.getByText('No API keys').waitFor();

    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Deployment');
    await dialog.getByRole('switch', { name: /Edit devices/ }).check({ force: true });
    expect(await accessibilityFaults(page)).toStrictEqual([]);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('dialog', { name: 'Your new key' }).waitFor();
    const key = await dialog.locator('code').innerText();
    // The API key is shown only once, so Esc asks first.
    await dialog.locator(':focus').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Close this for good?' }).waitFor();
    expect(await accessibilityFaults(page)).toStrictEqual([]);
    await page.getByRole('button', { name: 'Keep it open' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Your new key' }).waitFor();
    expect(await dialog.locator('code').innerText()).toBe(key);
    await dialog.getByRole('button', { name: 'I have saved it' }).click();
    const row = page.getByRole('row', { name: 'Deployment' });
    await row.getByText('devices:write').waitFor();
    expect(await page.getByText(key).count()).toBe(0);

    const ask = () => fetch(`${under.url}/api/v1/auth/me`, { headers: { 'X-API-Key': key } });
    expect((await ask()).status).toBe(200);
    await row.getByRole('button', { name: 'Revoke Deployment' }).click();
    await page.getByRole('dialog', { name: 'Revoke “Deployment”' }).waitFor();
    await dialog.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByRole('status').filter({ hasText: '“Deployment” revoked.' }).waitFor();
    await page.getByText('No API keys').waitFor();
    expect((await ask()).status).toBe(401);
    expect(await accessibilityFaults(page)).toStrictEqual([]);
    expect(under.problems()).toStrictEqual([]);
  });
});
