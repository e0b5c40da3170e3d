import { describe, expect, test } from 'vitest';
import { parseFilterDescription, parseFilterName } from '#domain/filter/saved-filter.ts';
import type { Result } from '#domain/result.ts';
import {
  ALERT,
  API_KEY,
  CUSTOM_FIELD,
  DEVICE,
  FILTER,
  ORG_ID,
  ORGANIZATION,
  PARTNER,
  PARTNER_ID,
  SCRIPT,
  SITE,
  USER,
} from './fleet.ts';
import { readOne, readText } from './load-text.ts';

/** As `member: message`. */
async function faultsOf(collection: string, members: object): Promise<readonly string[]> {
  const { records, faults } = await readOne(collection, members);
  expect(records).toStrictEqual([]);
  return faults.map(({ member, message }) => `${member}: ${message}`);
}

const NOT_A_DATE =
  'must be a date ("2026-02-10") or an instant ("2026-02-10T08:00:00Z", "2026-02-10T09:00+01:00")';
const TOO_LONG = 'must have at most 500 characters; it has 501';
const NOT_EXACT = 'must be a number within ±2^53; a larger one would lose precision';
const NOT_A_KEY = 'must be a lower-case letter followed by lower-case letters, digits and _';

describe('required members', () => {
  test.each([
    ['partners', PARTNER],
    ['organizations', ORGANIZATION],
    ['sites', SITE],
    ['users', { ...USER, orgId: undefined, scope: 'system', password: undefined }],
    ['apiKeys', API_KEY],
    ['customFields', { ...CUSTOM_FIELD, orgId: undefined }],
    ['devices', DEVICE],
    ['scripts', { ...SCRIPT, orgId: undefined }],
    ['alerts', ALERT],
    ['filters', { ...FILTER, orgId: undefined }],
  ])('of %s are all reported at once', async (collection, whole) => {
    const names = Object.keys(JSON.parse(JSON.stringify(whole)));
    const faults = await faultsOf(collection, {});
    expect(faults.toSorted()).toStrictEqual(
      names.map((name) => `${collection}[0].${name}: is required`).toSorted(),
    );
  });

  test.each([
    ['id', 'must be a UUID'],
    ['orgId', 'must be a UUID'],
    ['hostname', 'must be a string, not null'],
    ['status', 'must be one of online, offline, maintenance, decommissioned, quarantined, updating, pending'],
  ])('may not be null: %s of a device', async (name, message) => {
    expect(await faultsOf('devices', { ...DEVICE, [name]: null })).toStrictEqual([
      `devices[0].${name}: ${message}`,
    ]);
  });
});

describe('unknown members', () => {
  test.each([
    ['devices', DEVICE, 'hostnmae', 'devices[0].hostnmae: is not a known member; did you mean "hostname"?'],
    ['devices', DEVICE, 'OsType', 'devices[0].OsType: is not a known member; did you mean "osType"?'],
    ['partners', PARTNER, 'naem', 'partners[0].naem: is not a known member; did you mean "name"?'],
    [
      'partners',
      PARTNER,
      'colour',
      'partners[0].colour: is not a known member; known members are kind, id, name',
    ],
    [
      'partners',
      PARTNER,
      'toString',
      'partners[0].toString: is not a known member; known members are kind, id, name',
    ],
    [
      'partners',
      PARTNER,
      'two words',
      'partners[0]["two words"]: is not a known member; known members are kind, id, name',
    ],
  ])('of %s are refused', async (collection, members, name, fault) => {
    expect(await faultsOf(collection, { ...members, [name]: 1 })).toStrictEqual([fault]);
  });

  test('include __proto__', async () => {
    const members = JSON.parse(`{"__proto__": {}, ${JSON.stringify(PARTNER).slice(1)}`);
    expect(await faultsOf('partners', members)).toStrictEqual([
      'partners[0].__proto__: is not a known member; known members are kind, id, name',
    ]);
    const device = JSON.parse(`{"__proto__": {}, ${JSON.stringify(DEVICE).slice(1)}`);
    expect(await faultsOf('devices', device)).toStrictEqual([
      expect.stringContaining(
        'devices[0].__proto__: is not a known member; known members are kind, id, orgId, ',
      ),
    ]);
  });

  test('are all named', async () => {
    expect(await faultsOf('partners', { ...PARTNER, colour: 1, size: 2 })).toStrictEqual([
      'partners[0].colour: is not a known member; known members are kind, id, name (also unknown: size)',
    ]);
    expect(await faultsOf('devices', { ...DEVICE, tag: [], hardwear: {} })).toStrictEqual([
      'devices[0].tag: is not a known member; did you mean "tags"?',
      'devices[0].hardwear: is not a known member; did you mean "hardware"?',
    ]);
  });

  test.each([
    ['hardware', { cpuCors: 1 }, '.hardware.cpuCors: is not a known member; did you mean "cpuCores"?'],
    [
      'metrics',
      { cpu: 1 },
      '.metrics.cpu: is not a known member; known members are cpuPercent, ramPercent, diskPercent',
    ],
    [
      'network',
      [{ ip: '' }],
      '.network[0].ip: is not a known member; known members are ipAddress, publicIp, macAddress',
    ],
    [
      'software',
      [{ name: 'a' }, { name: 'b', vers: '' }],
      '.software[1].vers: is not a known member; known members are name, version',
    ],
    [
      'patches',
      [{ title: 'a', status: 'pending', ID: '' }],
      '.patches[0].ID: is not a known member; did you mean "id"?',
    ],
  ])('inside the %s of a device are refused', async (name, value, fault) => {
    expect(await faultsOf('devices', { ...DEVICE, [name]: value })).toStrictEqual([`devices[0]${fault}`]);
  });
});

describe('a device', () => {
  test.each<[string, unknown, string]>([
    ['id', '12', '.id: must be a UUID'],
    ['id', 12, '.id: must be a UUID'],
    ['orgId', `${ORG_ID}0`, '.orgId: must be a UUID'],
    ['siteId', 'lab', '.siteId: must be a UUID'],
    ['hostname', '', '.hostname: must not be empty'],
    ['hostname', ' \t', '.hostname: must not be empty'],
    ['hostname', '\u0085', '.hostname: must not be empty'],
    ['lastSeenAt', '2026-02-30', '.lastSeenAt: must be a day that exists; there is no 2026-02-30'],
    ['hostname', 12, '.hostname: must be a string, not a number'],
    ['hostname', 'a\u0000b', '.hostname: must not contain a NUL character (U+0000)'],
    ['hostname', 'a'.repeat(501), `.hostname: ${TOO_LONG}`],
    ['displayName', '\ud800', '.displayName: must not contain an unpaired surrogate'],
    ['displayName', true, '.displayName: must be a string, not true'],
    ['osVersion', 10, '.osVersion: must be a string, not a number'],
    ['lastUser', ['ada'], '.lastUser: must be a string, not an array'],
    ['lastSeenIp', {}, '.lastSeenIp: must be a string, not an object'],
    [
      'status',
      'Online',
      '.status: must be one of online, offline, maintenance, decommissioned, quarantined, updating, pending; did you mean "online"?',
    ],
    ['osType', 'Windows', '.osType: must be one of windows, macos, linux; did you mean "windows"?'],
    ['osType', 3, '.osType: must be one of windows, macos, linux'],
    ['architecture', 'amd64', '.architecture: must be one of x64, x86, arm64'],
    ['watchdogStatus', '', '.watchdogStatus: must be one of connected, failover, offline'],
    ['isHeadless', 'yes', '.isHeadless: must be true or false, not a string'],
    ['rebootRequired', 1, '.rebootRequired: must be true or false, not a number'],
    ['uptimeSeconds', '5', '.uptimeSeconds: must be a number, not a string'],
    ['uptimeSeconds', 2 ** 53, `.uptimeSeconds: ${NOT_EXACT}`],
    ['enrolledAt', 1_770_710_400_000, `.enrolledAt: ${NOT_A_DATE}`],
    ['lastSeenAt', '0001-01-01T00:00+01:00', `.lastSeenAt: ${NOT_A_DATE}`],
    ['quarantinedAt', '9999-12-31T23:59:59-01:00', `.quarantinedAt: ${NOT_A_DATE}`],
    ['tags', 'lab', '.tags: must be an array, not a string'],
    ['tags', ['lab', 1], '.tags[1]: must be a string, not a number'],
    ['tags', ['a\u0000'], '.tags[0]: must not contain a NUL character (U+0000)'],
    ['tags', [null], '.tags[0]: must be a string, not null'],
    ['hardware', [], '.hardware: must be an object, not an array'],
    ['hardware', { model: 5 }, '.hardware.model: must be a string, not a number'],
    ['hardware', { cpuCores: '4' }, '.hardware.cpuCores: must be a number, not a string'],
    ['hardware', { serialNumber: '😀'.repeat(501) }, `.hardware.serialNumber: ${TOO_LONG}`],
    ['metrics', 5, '.metrics: must be an object, not a number'],
    ['metrics', { cpuPercent: true }, '.metrics.cpuPercent: must be a number, not true'],
    ['network', {}, '.network: must be an array, not an object'],
    ['network', ['10.0.0.1'], '.network[0]: must be an object, not a string'],
    ['network', [{ ipAddress: 1 }], '.network[0].ipAddress: must be a string, not a number'],
    ['network', [{ macAddress: 'a'.repeat(501) }], `.network[0].macAddress: ${TOO_LONG}`],
    ['software', [{}], '.software[0].name: is required'],
    ['software', [{ name: '' }], '.software[0].name: must not be empty'],
    ['software', [{ name: 'a', version: 1 }], '.software[0].version: must be a string, not a number'],
    ['software', [null], '.software[0]: must be an object, not null'],
    ['patches', [{ status: 'pending' }], '.patches[0].title: is required'],
    ['patches', [{ title: 'a' }], '.patches[0].status: is required'],
    [
      'patches',
      [{ title: 'a', status: 'done' }],
      '.patches[0].status: must be one of pending, installed, failed',
    ],
    ['patches', [{ title: 'a'.repeat(501), status: 'failed' }], `.patches[0].title: ${TOO_LONG}`],
    ['patches', [{ id: 'KB1', title: 'a', status: 'failed' }], '.patches[0].id: must be a UUID'],
    ['custom', [], '.custom: must be an object, not an array'],
    ['custom', { 'Asset tag': 1 }, `.custom["Asset tag"]: ${NOT_A_KEY}`],
    ['custom', { Tag: 1 }, `.custom.Tag: ${NOT_A_KEY}`],
    ['custom', { tag: ['a\u0000'] }, '.custom.tag: must not contain a NUL character (U+0000)'],
    ['custom', { tag: { deep: ['\ud800'] } }, '.custom.tag: must not contain an unpaired surrogate'],
    ['custom', { tag: { 'a\u0000': 1 } }, '.custom.tag: must not contain a NUL character (U+0000)'],
    ['custom', { tag: nested(101) }, '.custom.tag: must not be nested more than 100 levels deep'],
    ['custom', { tag: '\u0000' }, '.custom.tag: must not contain a NUL character (U+0000)'],
    ['custom', { tag: 2 ** 60 }, `.custom.tag: ${NOT_EXACT}`],
    ['kind', 'site', '.kind: must be one of device'],
  ])('is refused with the %s %j', async (name, value, fault) => {
    expect(await faultsOf('devices', { ...DEVICE, [name]: value })).toStrictEqual([`devices[0]${fault}`]);
  });

  test('is refused with the number 1e999, which is not finite', async () => {
    const text = JSON.stringify({ devices: [{ ...DEVICE, uptimeSeconds: 0 }] }).replace(':0', ':1e999');
    expect((await readText(text)).faults).toStrictEqual([
      { line: 1, member: 'devices[0].uptimeSeconds', message: NOT_EXACT },
    ]);
  });
});

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

describe('a user', () => {
  const ofPartner = { ...USER, scope: 'partner', orgId: null, partnerId: PARTNER_ID };
  const ofSystem = { ...USER, scope: 'system', orgId: null };
  const NOT_BASE32 = '.totpSecret: must be base32 (A-Z and 2-7) of at least 10 bytes';
  const NOT_AN_EMAIL = '.email: must be an email address: one @ with text on both sides, and no line ends';

  test.each<[string, object, readonly string[]]>([
    [
      'an unknown scope',
      { ...USER, scope: 'global' },
      ['.scope: must be one of organization, partner, system'],
    ],
    ['no organization', { ...USER, orgId: null }, [': must have orgId with scope organization']],
    [
      'the members of a partner user',
      { ...USER, partnerId: PARTNER_ID, orgIds: [] },
      [': must not have partnerId with scope organization', ': must not have orgIds with scope organization'],
    ],
    ['no partner', { ...ofPartner, partnerId: null }, [': must have partnerId with scope partner']],
    [
      'an organization beside the partner',
      { ...ofPartner, orgId: ORG_ID },
      [': must not have orgId with scope partner'],
    ],
    [
      'a subset that is no list',
      { ...ofPartner, orgIds: ORG_ID },
      ['.orgIds: must be an array, not a string'],
    ],
    [
      'a subset with an entry that is no id',
      { ...ofPartner, orgIds: [ORG_ID, 'lab'] },
      ['.orgIds[1]: must be a UUID'],
    ],
    [
      'an organization beside system scope',
      { ...ofSystem, orgId: ORG_ID },
      [': must not have orgId with scope system'],
    ],
    ['an email without @', { ...USER, email: 'ada' }, [NOT_AN_EMAIL]],
    ['an email with nothing before the @', { ...USER, email: '@example.com' }, [NOT_AN_EMAIL]],
    ['an email with nothing after the @', { ...USER, email: 'ada@' }, [NOT_AN_EMAIL]],
    ['an email with two @', { ...USER, email: 'ada@home@example.com' }, [NOT_AN_EMAIL]],
    ['a short password', { ...USER, password: '1234567' }, ['.password: must have 8 to 256 characters']],
    [
      'a password of 7 emoji',
      { ...USER, password: '😀'.repeat(7) },
      ['.password: must have 8 to 256 characters'],
    ],
    ['a long password', { ...USER, password: 'x'.repeat(257) }, ['.password: must have 8 to 256 characters']],
    [
      'a password that cannot be stored',
      { ...USER, password: '12345678\u0000' },
      ['.password: must not contain a NUL character (U+0000)'],
    ],
    ['a permission without a name', { ...USER, permissions: [''] }, ['.permissions[0]: must not be empty']],
    [
      'permissions as a text',
      { ...USER, permissions: 'a,b' },
      ['.permissions: must be an array, not a string'],
    ],
    [
      'isPlatformAdmin as a text',
      { ...USER, isPlatformAdmin: 'true' },
      ['.isPlatformAdmin: must be true or false, not a string'],
    ],
    ['a secret with other digits', { ...USER, totpSecret: 'JBSWY3DPEHPK3PX1' }, [NOT_BASE32]],
    ['a secret with spaces', { ...USER, totpSecret: 'JBSW Y3DP EHPK 3PXP' }, [NOT_BASE32]],
    ['a short secret', { ...USER, totpSecret: 'JBSWY3DPEHPK3PX' }, [NOT_BASE32]],
    ['a secret that ends within a byte', { ...USER, totpSecret: 'JBSWY3DPEHPK3PXPA' }, [NOT_BASE32]],
    ['a secret with too little padding', { ...USER, totpSecret: 'JBSWY3DPEHPK3PXPAE=====' }, [NOT_BASE32]],
    ['a secret of padding alone', { ...USER, totpSecret: '='.repeat(16) }, [NOT_BASE32]],
    ['an empty secret', { ...USER, totpSecret: '' }, [NOT_BASE32]],
  ])('is refused with %s', async (_, members, faults) => {
    expect(await faultsOf('users', members)).toStrictEqual(faults.map((fault) => `users[0]${fault}`));
  });
});

describe('an API key', () => {
  const NOT_A_KEY_TEXT = '.key: must be "fsk_" followed by 43 characters of A-Z, a-z, 0-9, _ and -';

  test.each<[string, object, string]>([
    ['another prefix', { key: API_KEY.key.replace('fsk_', 'ghp_') }, NOT_A_KEY_TEXT],
    ['a character too few', { key: API_KEY.key.slice(0, -1) }, NOT_A_KEY_TEXT],
    ['a character too many', { key: `${API_KEY.key}a` }, NOT_A_KEY_TEXT],
    ['a line break after it', { key: `${API_KEY.key}\n` }, NOT_A_KEY_TEXT],
    ['a character that is not base64url', { key: API_KEY.key.replace('3', '+') }, NOT_A_KEY_TEXT],
    ['an expiry that is no date', { expiresAt: 'never' }, `.expiresAt: ${NOT_A_DATE}`],
    ['an organization that is no id', { orgId: '' }, '.orgId: must be a UUID'],
  ])('is refused with %s', async (_, change, fault) => {
    expect(await faultsOf('apiKeys', { ...API_KEY, ...change })).toStrictEqual([`apiKeys[0]${fault}`]);
  });
});

describe('a custom field', () => {
  test.each<[string, object, readonly string[]]>([
    ['a key in capitals', { key: 'Asset' }, [`.key: ${NOT_A_KEY}`]],
    ['a key that begins with a digit', { key: '1st' }, [`.key: ${NOT_A_KEY}`]],
    ['a key with a hyphen', { key: 'asset-tag' }, [`.key: ${NOT_A_KEY}`]],
    ['an empty key', { key: '' }, [`.key: ${NOT_A_KEY}`]],
    ['another type', { type: 'datetime' }, ['.type: must be one of text, number, boolean, dropdown, date']],
    ['no owner', { orgId: null }, [': must have orgId or partnerId']],
    ['two owners', { partnerId: PARTNER_ID }, [': must have orgId or partnerId, not both']],
    ['a dropdown without choices', { type: 'dropdown' }, [': must have choices with type dropdown']],
    [
      'an empty list of choices',
      { type: 'dropdown', choices: [] },
      ['.choices: must have at least one choice'],
    ],
    ['an empty choice', { type: 'dropdown', choices: ['a', ''] }, ['.choices[1]: must not be empty']],
    ['choices for a text', { choices: ['a'] }, [': must not have choices with type text']],
    [
      'several faults',
      { orgId: null, type: 'dropdown' },
      [': must have orgId or partnerId', ': must have choices with type dropdown'],
    ],
  ])('is refused with %s', async (_, change, faults) => {
    expect(await faultsOf('customFields', { ...CUSTOM_FIELD, ...change })).toStrictEqual(
      faults.map((fault) => `customFields[0]${fault}`),
    );
  });
});

describe('scripts, alerts and filters', () => {
  /** The message that the domain gives. */
  const reason = (result: Result<unknown, string>) => (result.ok ? '' : result.error);

  test.each<[string, string, object, string]>([
    ['a script without an owner', 'scripts', { ...SCRIPT, orgId: null }, ': must have orgId or partnerId'],
    [
      'a script with two owners',
      'scripts',
      { ...SCRIPT, partnerId: PARTNER_ID },
      ': must have orgId or partnerId, not both',
    ],
    [
      'an alert with an unknown severity',
      'alerts',
      { ...ALERT, severity: 'Critical' },
      '.severity: must be one of critical, high, medium, low, info; did you mean "critical"?',
    ],
    [
      'an alert with an unknown status',
      'alerts',
      { ...ALERT, status: 'open' },
      '.status: must be one of active, acknowledged, resolved',
    ],
    [
      'an alert with an invalid time',
      'alerts',
      { ...ALERT, createdAt: 'yesterday' },
      '.createdAt: must be a date ("2026-02-10") or an instant ("2026-02-10T08:00:00Z", "2026-02-10T09:00+01:00")',
    ],
    ['an alert without a title', 'alerts', { ...ALERT, title: '' }, '.title: must not be empty'],
    ['a filter without an owner', 'filters', { ...FILTER, orgId: null }, ': must have orgId or partnerId'],
    [
      'a filter without a name',
      'filters',
      { ...FILTER, name: ' ' },
      `.name: ${reason(parseFilterName(' '))}`,
    ],
    [
      'a filter with a long name',
      'filters',
      { ...FILTER, name: 'x'.repeat(201) },
      `.name: ${reason(parseFilterName('x'.repeat(201)))}`,
    ],
    [
      'a filter with a long description',
      'filters',
      { ...FILTER, description: 'x'.repeat(1001) },
      `.description: ${reason(parseFilterDescription('x'.repeat(1001)))}`,
    ],
    [
      'a filter with a list of conditions',
      'filters',
      { ...FILTER, conditions: [] },
      '.conditions: must be an object, not an array',
    ],
  ])('%s is refused', async (_, collection, members, fault) => {
    expect(await faultsOf(collection, members)).toStrictEqual([`${collection}[0]${fault}`]);
  });
});

test('every fault of a record is named', async () => {
  expect(
    await faultsOf('devices', {
      ...DEVICE,
      id: 1,
      hostname: '',
      osType: 'dos',
      hardware: { cpuCores: '4', x: 1 },
    }),
  ).toStrictEqual([
    'devices[0].id: must be a UUID',
    'devices[0].hostname: must not be empty',
    'devices[0].osType: must be one of windows, macos, linux',
    'devices[0].hardware.x: is not a known member; known members are manufacturer, model, serialNumber, cpuModel, gpuModel, cpuCores, ramTotalMb, diskTotalGb',
    'devices[0].hardware.cpuCores: must be a number, not a string',
  ]);
});
