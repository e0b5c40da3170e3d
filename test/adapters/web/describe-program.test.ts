/** Sessions are named after the browser and the system, by the names that people know. */
import { expect, test } from 'vitest';
import { describeProgram } from '#console/pages/settings/security/describe-program.ts';

const MOZILLA = 'Mozilla/5.0';
const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  [`${MOZILLA} (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36`, 'Chrome', 'Windows'],
  [
    `${MOZILLA} (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/142.0 Safari/537.36 Edg/142.0`,
    'Edge',
    'Windows',
  ],
  [`${MOZILLA} (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0`, 'Firefox', 'Linux'],
  [
    `${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15`,
    'Safari',
    'macOS',
  ],
  [
    `${MOZILLA} (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0 Mobile/15E148 Safari/604.1`,
    'Chrome',
    'iPhone',
  ],
  [
    `${MOZILLA} (Linux; Android 16; Pixel 9) ${WEBKIT} Chrome/142.0 Mobile Safari/537.36`,
    'Chrome',
    'Android',
  ],
])('%s is named %s on %s', (userAgent, browser, system) => {
  expect(describeProgram(userAgent)).toStrictEqual({ browser, system, name: 'Mozilla' });
});

test.each([
  ['curl/8.5.0', 'curl'],
  ['  deploy-tool 1.0', 'deploy-tool'],
  ['', null],
  [null, null],
])('a program that is no browser, %j, is named %j', (userAgent, name) => {
  expect(describeProgram(userAgent)).toStrictEqual({ browser: null, system: null, name });
});
