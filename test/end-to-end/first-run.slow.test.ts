/** An empty service begins with a link: the one that `npm start` prints, or that of `admin link` (Contract: §16). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServiceUnderTest } from './service-process.ts';

const FIRST = {
  ...{ email: 'grace@example.com', name: 'Grace Hopper', password: 'correct horse battery' },
  ...{ partnerName: 'Northwind MSP', organizationName: 'Kestrel Lane' },
};
const LINK = /^\s*(http:\/\/\S+\/invitation)#(fsl_[\w-]{43})$/m;

let fleetsift: ServiceUnderTest;

beforeAll(async () => {
  fleetsift = await ServiceUnderTest.create({ DEMO: 'off', LOG_LEVEL: 'warn', DRAIN_SECONDS: '0' });
});
afterAll(() => fleetsift.dispose(), 120_000);

function linkIn(text: string): { readonly page: string; readonly token: string } {
  const [, page = '', token = ''] = LINK.exec(text) ?? [];
  if (token === '') throw new Error(`there is no link in: ${text}`);
  return { page, token };
}

test('the first administrator accepts the link once, and then the service gives out no more links', async () => {
  const service = await fleetsift.start({ LOG_LEVEL: 'info' });
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${service.url}/api/v1/auth${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
  };

  const printed = linkIn(service.output());
  expect(service.output()).toContain('the link works once, within an hour');
  expect(printed.page).toBe(`${service.url}/invitation`);
  const page = await fetch(printed.page);
  expect([page.status, page.headers.get('content-type')]).toStrictEqual([
    200,
    expect.stringContaining('html'),
  ]);

  // The command runs beside the service and is told its address.
  const command = await fleetsift.run(['admin', 'link'], { BASE_URL: 'https://fleet.example.com/base' });
  expect(command).toMatchObject({ code: 0, stderr: '(the link works once, within an hour)\n' });
  expect(command.stdout).toMatch(/^https:\/\/fleet\.example\.com\/base\/invitation#fsl_[\w-]{43}\n$/);
  const [, another = ''] = command.stdout.trim().split('#');
  expect(another).not.toBe(printed.token);
  for (const token of [printed.token, another]) {
    expect(await post('/invitation', { token })).toMatchObject({ status: 200, body: { email: null } });
  }

  expect(await post('/invitation/accept', { token: another, ...FIRST })).toMatchObject({ status: 204 });
  const { email, password } = FIRST;
  expect(await post('/login', { email, password })).toMatchObject({
    status: 200,
    body: { user: { scope: 'system', isPlatformAdmin: true, permissions: ['users:write', 'devices:write'] } },
  });
  for (const token of [printed.token, another]) {
    const again = { token, ...FIRST, email: 'thief@example.com', partnerName: 'Another' };
    expect(await post('/invitation/accept', again)).toMatchObject({
      status: 404,
      body: { code: 'link_invalid' },
    });
  }
  expect((await service.stop()).code).toBe(0);

  const refused = await fleetsift.run(['admin', 'link']);
  expect([refused.code, refused.stdout]).toStrictEqual([1, '']);
  expect(refused.stderr).toContain(
    'the service has people already; to add an administrator, use admin create',
  );
  const organizations = await fleetsift.run(['org', 'list', '--json']);
  expect(JSON.parse(organizations.stdout)).toMatchObject([
    { name: 'Kestrel Lane', partnerName: 'Northwind MSP' },
  ]);

  const next = await fleetsift.start({ LOG_LEVEL: 'info' });
  expect(next.output()).not.toContain('/invitation#');
  expect((await next.stop()).code).toBe(0);
}, 180_000);
