/** Rights on identity providers, and the verification of their domains (Contract: §16). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type DeletionService,
  type MemberName,
  startDeletionService,
  type Team,
} from '#test/api/service/deletion-service.ts';
import { type Answer, refusalOf } from '#test/api/service/service.ts';
import { newId, SYSTEM_SCOPE } from '#test/support/builders.ts';

const PROVIDERS = '/api/v1/identity-providers';
const FORBIDDEN = [403, 'forbidden'];
const EXCEEDED = [403, 'exceeds_own_rights'];
const UNKNOWN = [404, 'not_found'];

interface ProviderBody {
  readonly id: string;
  readonly domains: readonly {
    readonly domain: string;
    readonly verified: boolean;
    readonly record: { readonly name: string; readonly value: string };
  }[];
  readonly [member: string]: unknown;
}

let service: DeletionService;
let team: Team;
/** TXT records by name. With null, no name server answers. */
const records = new Map<string, readonly string[] | null>();

beforeAll(async () => {
  service = await startDeletionService({ resolveTxt: async (name) => records.get(name) ?? [] });
});
beforeEach(async () => {
  team = await service.newTeam();
});
afterAll(() => service.close());

const as = (name: MemberName, mfaAgeSeconds?: number | null) => service.by(team.people[name], mfaAgeSeconds);
const aBody = (given: object = {}) => ({
  ...{
    name: 'Entra',
    issuer: 'https://id.kestrel.example/v2.0',
    clientId: 'fleetsift',
    clientSecret: 'hush',
  },
  ...given,
});
const providerIn = ({ status, text, body }: Answer): ProviderBody => {
  if (status !== 200 && status !== 201) throw new Error(`${status} ${text}`);
  return body as ProviderBody;
};
const create = async (name: MemberName, given: object = {}) =>
  providerIn(await as(name)('POST', PROVIDERS, aBody(given)));
/** Status and code, without the faults. */
const codeOf = (answer: Answer) => refusalOf(answer).slice(0, 2);
const aDomain = () => `${newId()}.example`;

describe('a new provider', () => {
  test('is answered with defaults and the record of each domain, without its secret', async () => {
    const domain = aDomain();
    const created = await as('admin')(
      'POST',
      PROVIDERS,
      aBody({ domains: [{ domain: domain.toUpperCase() }] }),
    );
    const provider = providerIn(created);
    expect(provider).toStrictEqual({
      ...{ id: provider.id, orgId: team.a, partnerId: null },
      ...{ name: 'Entra', issuer: 'https://id.kestrel.example/v2.0', clientId: 'fleetsift' },
      domains: [
        {
          ...{ domain, verified: false },
          record: { name: `_fleetsift.${domain}`, value: `fleetsift-verification=${provider.id}` },
        },
      ],
      ...{ provision: false, permissions: [], groupsClaim: null, groups: [], trustMfa: false, acrValues: [] },
      createdAt: provider.createdAt,
    });
    expect(created.status).toBe(201);
    expect(created.headers.get('Location')).toBe(`${PROVIDERS}/${provider.id}`);
    const read = await as('admin')('GET', `${PROVIDERS}/${provider.id}`);
    expect(read.body).toStrictEqual(provider);
    expect((await as('admin')('GET', PROVIDERS)).body).toStrictEqual({ data: [provider] });
    expect(created.text + read.text).not.toContain('hush');
    const found = await service.composition.backend.identityProviderReader.list(SYSTEM_SCOPE);
    expect(JSON.stringify(found)).not.toContain('hush');
  });

  test('keeps every setting', async () => {
    const settings = {
      ...{
        partnerId: team.p,
        provision: true,
        permissions: ['users:write'],
        groupsClaim: 'realm_access.roles',
      },
      groups: [
        { group: 'Ops', permissions: [], orgIds: [team.a] },
        { group: 'Admins', permissions: ['users:write'], orgIds: null },
      ],
      ...{ trustMfa: true, acrValues: ['gold'] },
    };
    expect(await create('partner', settings)).toMatchObject(settings);
  });

  test('belongs to an organization or a partner that its creator manages', async () => {
    for (const [name, owner, refusal] of [
      ['admin', { orgId: team.b }, FORBIDDEN],
      ['admin', { orgId: newId() }, FORBIDDEN],
      ['admin', { partnerId: team.p }, FORBIDDEN],
      ['partner in A', { partnerId: team.p }, FORBIDDEN],
      ['partner in A', { orgId: team.b }, FORBIDDEN],
      ['other partner', { orgId: team.a }, FORBIDDEN],
      ['other partner', { partnerId: team.p }, FORBIDDEN],
      ['system', { orgId: newId() }, FORBIDDEN],
      ['system', { partnerId: newId() }, FORBIDDEN],
      ['member', { orgId: team.a }, FORBIDDEN],
      ['partner', {}, [400, 'validation_failed']],
      ['system', {}, [400, 'validation_failed']],
      ['system', { orgId: team.a, partnerId: team.p }, [400, 'validation_failed']],
    ] as const) {
      expect(codeOf(await as(name)('POST', PROVIDERS, aBody(owner)))).toStrictEqual(refusal);
    }
    for (const [name, owner] of [
      ['partner in A', { orgId: team.a }],
      ['partner', { partnerId: team.p }],
      ['system', { partnerId: team.p }],
    ] as const) {
      expect(await create(name, owner)).toMatchObject(owner);
    }
    expect(codeOf(await as('admin', null)('POST', PROVIDERS, aBody()))).toStrictEqual([401, 'mfa_required']);
  });

  test('gives no right that its creator lacks', async () => {
    const groups = [{ group: 'Ops', permissions: ['devices:write'] }];
    for (const given of [{ permissions: ['devices:write'] }, { groups }]) {
      expect(codeOf(await as('admin')('POST', PROVIDERS, aBody(given)))).toStrictEqual(EXCEEDED);
    }
  });

  test.each([
    ['issuer', { issuer: 'http://id.kestrel.example' }],
    ['issuer', { issuer: 'https://127.0.0.1' }],
    ['issuer', { issuer: 'https://[::1]:8443' }],
    ['issuer', { issuer: 'https://id.kestrel.example?x=1' }],
    ['issuer', { issuer: 'id.kestrel.example' }],
    ['clientSecret', { clientSecret: undefined }],
    ['clientSecret', { clientSecret: ' ' }],
    ['clientId', { clientId: 7 }],
    ['name', { name: '' }],
    ['domains', { domains: ['kestrel.example'] }],
    ['domains', { domains: [{ domain: 'localhost' }] }],
    ['domains', { domains: [{ domain: '10.0.0.1' }] }],
    ['domains', { domains: [{ domain: 'kestrel.example', verified: true }] }],
    ['permissions', { permissions: ['platform:admin'] }],
    ['groups', { groups: [{ permissions: [] }] }],
    ['groups', { groups: [{ group: 'a', orgIds: [] }] }],
    ['groups', { groups: [{ group: 'a' }, { group: 'a' }] }],
    ['groupsClaim', { groupsClaim: '' }],
    ['provision', { provision: 'yes' }],
    ['trustMfa', { trustMfa: 1 }],
    ['acrValues', { acrValues: 'gold' }],
  ])('is refused for its %s: %j', async (path, given) => {
    const refused = await as('admin')('POST', PROVIDERS, aBody(given));
    expect(codeOf(refused)).toStrictEqual([400, 'validation_failed']);
    const { errors } = refused.body as { readonly errors: readonly { readonly path: string }[] };
    expect(errors.map((fault) => fault.path)).toStrictEqual([path]);
    expect((await as('admin')('GET', PROVIDERS)).body).toStrictEqual({ data: [] });
  });

  test('is refused with every fault at once', async () => {
    const refused = await as('admin')('POST', PROVIDERS, aBody({ name: '', issuer: 'x', acrValues: 7 }));
    const { errors } = refused.body as { readonly errors: readonly { readonly path: string }[] };
    expect(errors.map(({ path }) => path)).toStrictEqual(['name', 'issuer', 'acrValues']);
  });
});

describe('providers of others', () => {
  test('are in no list, and are not found', async () => {
    const ofA = await create('admin');
    const ofP = await create('partner', { partnerId: team.p, name: 'Whole' });
    const seen = async (name: MemberName) => {
      const { data } = (await as(name)('GET', PROVIDERS)).body as { readonly data: readonly ProviderBody[] };
      return data.map(({ id }) => id).filter((id) => id === ofA.id || id === ofP.id);
    };
    expect(await seen('admin')).toStrictEqual([ofA.id]);
    expect(await seen('partner in A')).toStrictEqual([ofA.id]);
    expect(await seen('partner')).toStrictEqual([ofA.id, ofP.id]);
    expect(await seen('system')).toStrictEqual([ofA.id, ofP.id]);
    for (const name of ['admin of B', 'partner in none', 'other partner'] as const) {
      expect(await seen(name)).toStrictEqual([]);
    }
    for (const [name, id] of [
      ...(['admin of B', 'partner in none', 'other partner'] as const).map((who) => [who, ofA.id] as const),
      ...(['admin', 'partner in A', 'other partner'] as const).map((who) => [who, ofP.id] as const),
      ['system', newId()],
      ['system', 'x'],
    ] as const) {
      for (const [method, path, body] of [
        ['GET', id, undefined],
        ['PATCH', id, { name: 'Mine' }],
        ['DELETE', id, undefined],
        ['POST', `${id}/domains/verify`, undefined],
      ] as const) {
        expect(codeOf(await as(name)(method, `${PROVIDERS}/${path}`, body))).toStrictEqual(UNKNOWN);
      }
    }
    expect(codeOf(await as('member')('GET', PROVIDERS))).toStrictEqual(FORBIDDEN);
    expect(codeOf(await as('member')('GET', `${PROVIDERS}/${ofA.id}`))).toStrictEqual(FORBIDDEN);
    expect((await as('system')('GET', `${PROVIDERS}/${ofA.id}`)).body).toStrictEqual(ofA);
  });
});

describe('a change', () => {
  test('keeps the settings that it does not name, and is audited with the names of fields alone', async () => {
    const domain = aDomain();
    const before = await create('admin', { domains: [{ domain }], groupsClaim: 'groups' });
    const change = { name: 'Okta', clientSecret: 'new hush', trustMfa: true, groupsClaim: null };
    const after = await as('admin')('PATCH', `${PROVIDERS}/${before.id}`, change);
    expect(after.body).toStrictEqual({ ...before, name: 'Okta', trustMfa: true, groupsClaim: null });
    // What was read can be sent back.
    const same = await as('admin')('PATCH', `${PROVIDERS}/${before.id}`, after.body as object);
    expect(same.body).toStrictEqual(after.body);
    await as('admin')('DELETE', `${PROVIDERS}/${before.id}`);
    const entries = await service.recordedOf(team, team.people.admin);
    expect(entries.map(({ action, resourceId, details }) => [action, resourceId, details])).toStrictEqual([
      ['identity_provider.created', before.id, {}],
      [
        'identity_provider.updated',
        before.id,
        { fields: ['name', 'groupsClaim', 'trustMfa', 'clientSecret'] },
      ],
      ['identity_provider.deleted', before.id, {}],
    ]);
    expect(JSON.stringify(entries)).not.toContain('hush');
  });

  test('is refused for the issuer and the owner', async () => {
    const { id } = await create('partner', { orgId: team.a });
    for (const change of [{ issuer: 'https://evil.example' }, { orgId: team.b }, { partnerId: team.p }]) {
      const refused = await as('partner')('PATCH', `${PROVIDERS}/${id}`, change);
      expect(codeOf(refused)).toStrictEqual([400, 'validation_failed']);
    }
  });

  test('needs the rights that the provider gives, before and after', async () => {
    const permissions = ['devices:write', 'users:write'];
    const { id } = await create('partner in A', { orgId: team.a });
    const strong = await service.addMember(team, { permissions });
    const by = service.by(strong);
    expect((await by('PATCH', `${PROVIDERS}/${id}`, { permissions })).status).toBe(200);
    for (const [method, path, body] of [
      ['PATCH', id, { permissions: [] }],
      ['DELETE', id, undefined],
    ] as const) {
      expect(codeOf(await as('admin')(method, `${PROVIDERS}/${path}`, body))).toStrictEqual(EXCEEDED);
    }
    const weak = await create('admin');
    const groups = [{ group: 'a', permissions: ['devices:write'] }];
    const refused = await as('admin')('PATCH', `${PROVIDERS}/${weak.id}`, { groups });
    expect(codeOf(refused)).toStrictEqual(EXCEEDED);
  });
});

describe('domains', () => {
  const verify = (name: MemberName, { id }: ProviderBody) =>
    as(name)('POST', `${PROVIDERS}/${id}/domains/verify`);
  const verifiedOf = (answer: Answer) => providerIn(answer).domains.map(({ verified }) => verified);
  const publish = ({ domains }: ProviderBody) => {
    for (const { record } of domains) records.set(record.name, ['v=spf1 -all', record.value]);
  };

  test('are verified by their records, and stay verified', async () => {
    const [one, two] = [aDomain(), aDomain()].sort();
    const provider = await create('admin', { domains: [{ domain: one }, { domain: two }] });
    expect(verifiedOf(await verify('admin', provider))).toStrictEqual([false, false]);
    const [first] = provider.domains;
    if (first === undefined) throw new Error('there is no domain');
    records.set(first.record.name, ['fleetsift-verification=', `x${first.record.value}`]);
    expect(verifiedOf(await verify('admin', provider))).toStrictEqual([false, false]);
    records.set(first.record.name, ['other', first.record.value]);
    expect(verifiedOf(await verify('admin', provider))).toStrictEqual([true, false]);
    records.delete(first.record.name);
    expect(verifiedOf(await verify('admin', provider))).toStrictEqual([true, false]);
    const renamed = await as('admin')('PATCH', `${PROVIDERS}/${provider.id}`, {
      domains: [{ domain: one }, { domain: aDomain() }].sort((a, b) =>
        (a.domain ?? '') < (b.domain ?? '') ? -1 : 1,
      ),
    });
    expect(providerIn(renamed).domains.filter(({ verified }) => verified)).toHaveLength(1);
  });

  test('belong to the provider that verifies them first; a record for another provider verifies nothing', async () => {
    const domain = aDomain();
    const domains = [{ domain }];
    const mine = await create('admin', { domains });
    const theirs = await create('other partner', { partnerId: await ownPartner(), domains });
    publish(mine);
    expect(verifiedOf(await verify('other partner', theirs))).toStrictEqual([false]);
    expect(verifiedOf(await verify('admin', mine))).toStrictEqual([true]);
    publish(theirs);
    expect(codeOf(await verify('other partner', theirs))).toStrictEqual([409, 'domain_taken']);
    const late = await as('admin of B')('POST', PROVIDERS, aBody({ domains }));
    expect(codeOf(late)).toStrictEqual([409, 'domain_taken']);
  });

  test('are verified by system staff without a record', async () => {
    const domain = aDomain();
    const provider = await create('admin', { domains: [{ domain }] });
    const change = { domains: [{ domain, verified: true }] };
    expect(codeOf(await as('partner')('PATCH', `${PROVIDERS}/${provider.id}`, change))).toStrictEqual([
      400,
      'validation_failed',
    ]);
    expect(verifiedOf(await as('system')('PATCH', `${PROVIDERS}/${provider.id}`, change))).toStrictEqual([
      true,
    ]);
    expect(verifiedOf(await as('admin')('PATCH', `${PROVIDERS}/${provider.id}`, change))).toStrictEqual([
      true,
    ]);
  });

  async function ownPartner() {
    const found = await service.composition.backend.peopleReader.find(
      SYSTEM_SCOPE,
      team.people['other partner'].id,
    );
    return found?.partner?.id;
  }
});

test('lookups of domains are limited to twenty in five minutes', async () => {
  const provider = await create('admin', { domains: [{ domain: aDomain() }] });
  const verify = () => as('admin')('POST', `${PROVIDERS}/${provider.id}/domains/verify`);
  for (let i = 0; i < 20; i++) expect((await verify()).status).toBe(200);
  expect(codeOf(await verify())).toStrictEqual([429, 'rate_limited']);
});

test('people whom a deleted provider created get a mail to set a password', async () => {
  const provider = await create('admin');
  const [userId, password] = [newId<'user'>(), await service.addMember(team)];
  const identity = { providerId: provider.id as never, createdAt: service.now(), lastSignInAt: null };
  await service.composition.backend.unitOfWork(SYSTEM_SCOPE, async ({ identityProviders }) => {
    const membership = { scope: 'organization', orgId: team.a } as const;
    await identityProviders.makePerson(
      {
        id: userId,
        email: `${userId}@kestrel.example`,
        name: 'Mei',
        membership,
        permissions: [],
        isPlatformAdmin: false,
      },
      { ...identity, subject: 'made', userId, isMade: true },
    );
    await identityProviders.link({ ...identity, subject: 'linked', userId: password.id, isMade: false });
  });
  expect((await as('admin')('GET', `/api/v1/users/${userId}`)).body).toMatchObject({
    identityProvider: { id: provider.id, name: 'Entra' },
  });
  expect((await as('admin')('DELETE', `${PROVIDERS}/${provider.id}`)).status).toBe(204);
  expect(codeOf(await as('admin')('GET', `${PROVIDERS}/${provider.id}`))).toStrictEqual(UNKNOWN);
  expect((await as('admin')('GET', `/api/v1/users/${userId}`)).body).toMatchObject({
    ...{ status: 'active', identityProvider: null },
  });
  const mails = await service.composition.backend.mailOutbox.list('queued', 100);
  const links = mails.filter(({ kind }) => kind === 'provider-gone');
  expect(links.map((mail) => mail.userId)).toStrictEqual([userId]);
});
