/** Factories of all parts. `compose` returns what they make. */
import type { Parts } from './composition.ts';
import { announcing, type Factories, type Ingredients } from './service.ts';
import { FOUNDATION_PARTS, STORAGE_PARTS } from './storage.ts';

const DELETION_PARTS: Factories<'people' | 'deletions' | 'completeDeletions' | 'readAuditLog' | 'sendMail'> =
  {
    people: async (from) => {
      const { makePeopleUseCases } = await import('#application/people/people-use-cases.ts');
      const { backend, ...deps } = await from('backend', 'clock', 'newId', 'requireFreshMfa');
      const { randomSecrets: secrets } = await import('#adapters/auth/secret-generator.ts');
      return makePeopleUseCases({ ...backend, ...deps, secrets });
    },
    deletions: async (from) => {
      const { makeHasProvenRecently } = await import('#application/auth/passwords.ts');
      const { makeDeletionUseCases } = await import('#application/deletion/deletion-use-cases.ts');
      const { backend, ...deps } = await from(
        'backend',
        'clock',
        'newId',
        'requireFreshMfa',
        'checkPassword',
      );
      const hasProvenRecently = makeHasProvenRecently({ ...backend, ...deps });
      return makeDeletionUseCases({ ...backend, ...deps, hasProvenRecently });
    },
    completeDeletions: async (from) => {
      const { makeCompleteDeletions } = await import('#application/deletion/complete-deletions.ts');
      const { makeSystemEntryFactory } = await import('#application/audit/make-entry.ts');
      const { backend, cautiousClock, ...deps } = await from(
        'backend',
        'clock',
        'cautiousClock',
        'newId',
        'log',
      );
      const { unitOfWork } = backend;
      return makeCompleteDeletions({
        ...deps,
        dueClock: cautiousClock,
        unitOfWork,
        makeSystemEntry: makeSystemEntryFactory(deps),
      });
    },
    readAuditLog: async (from) => {
      const { makeReadAuditLog } = await import('#application/audit/read-audit-log.ts');
      return makeReadAuditLog((await from('backend')).backend);
    },
    sendMail: () => null,
  };

const TENANT_PARTS: Factories<'tenants' | 'identityProviders' | 'resolveTxt'> = {
  resolveTxt: async () => (await import('#adapters/system/resolve-txt.ts')).makeResolveTxt(),
  identityProviders: async (from, { config }) => {
    const { makeIdentityProviderUseCases } = await import(
      '#application/identity-providers/provider-use-cases.ts'
    );
    const { randomSecrets: secrets } = await import('#adapters/auth/secret-generator.ts');
    const { backend, ...deps } = await from('backend', 'clock', 'newId', 'requireFreshMfa', 'resolveTxt');
    return makeIdentityProviderUseCases({
      ...{ ...backend, ...deps, secrets },
      allowsPrivate: config.outboundPrivate ?? false,
    });
  },
  tenants: async (from) => {
    const { makeTenantUseCases } = await import('#application/fleet/tenant-use-cases.ts');
    const { backend, ...deps } = await from('backend', 'clock', 'newId', 'requireFreshMfa');
    return makeTenantUseCases({ ...backend, ...deps });
  },
};

const DEVICE_PARTS: Factories<'devices' | 'exportDevices' | 'search' | 'fleet'> = {
  devices: async (from, { config }) => {
    const { makeDeviceUseCases } = await import('#application/devices/device-use-cases.ts');
    const { makeCursorSigner } = await import('#adapters/auth/cursor-signer.ts');
    const { backend, ...deps } = await from('backend', 'clock', 'newId');
    const cursors = makeCursorSigner(backend.cursorKey);
    return makeDeviceUseCases({ ...backend, ...deps, cursors, filterTimeoutMs: config.filterTimeoutMs });
  },
  exportDevices: async (from) => {
    const { makeDeviceExport } = await import('#application/devices/run-export.ts');
    const { backend, ...deps } = await from('backend', 'clock', 'newId', 'log');
    return makeDeviceExport({ ...backend, ...deps });
  },
  search: async (from) => {
    const { makeSearchEverything } = await import('#application/search/search-everything.ts');
    return makeSearchEverything((await from('backend')).backend);
  },
  fleet: async (from) => {
    const { makeFleetUseCases } = await import('#application/fleet/fleet-use-cases.ts');
    const { backend, ...deps } = await from('backend', 'clock', 'newId');
    return makeFleetUseCases({ ...backend, ...deps });
  },
};

const FILTER_PARTS: Factories<'filters' | 'live' | 'sendWebhook' | 'customFields'> = {
  filters: async (from) => {
    const { makeFilterUseCases } = await import('#application/filters/filter-use-cases.ts');
    const { backend, ...deps } = await from('backend', 'clock', 'newId');
    return makeFilterUseCases({ ...backend, ...deps });
  },
  live: async (from, { config }) => {
    const { makeLiveUseCases } = await import('#application/live/live-use-cases.ts');
    const { makeCursorSigner } = await import('#adapters/auth/cursor-signer.ts');
    const { randomSecrets: secrets } = await import('#adapters/auth/secret-generator.ts');
    const { backend, ...deps } = await from('backend', 'clock', 'newId');
    return makeLiveUseCases({
      ...{ ...backend, ...deps, secrets, cursors: makeCursorSigner(backend.cursorKey) },
      allowsPrivate: config.outboundPrivate ?? false,
    });
  },
  sendWebhook: async (_, { config }) => {
    const { makeWebhookSender } = await import('#adapters/system/webhook-sender.ts');
    const { makeAskOutbound } = await import('#adapters/system/outbound.ts');
    const allowsPrivate = config.outboundPrivate ?? false;
    return makeWebhookSender(makeAskOutbound({ allowsPrivate, timeoutMs: 10_000, maxBytes: 0 }));
  },
  customFields: async (from) => {
    const { makeCustomFieldUseCases } = await import('#application/custom-fields/custom-field-use-cases.ts');
    const { backend, ...deps } = await from('backend', 'clock', 'newId');
    return makeCustomFieldUseCases({ ...backend, ...deps });
  },
};

const DEFAULT_MFA_MAX_AGE_SECONDS = 900;

const IDENTITY_PARTS: Factories<
  'tokenKeys' | 'credentials' | 'requireFreshMfa' | 'checkPassword' | 'openIdProviders' | 'auth'
> = {
  tokenKeys: async (from) => {
    const { makeTokenKeys } = await import('#adapters/auth/token-keys.ts');
    const { backend, ...deps } = await from('backend', 'clock', 'newId');
    return makeTokenKeys({ ...deps, store: backend.signingKeys });
  },
  credentials: async (from, run) => {
    const { makeCredentialVerifier } = await import('#adapters/auth/credential-verifier.ts');
    const { backend, tokenKeys, clock } = await from('backend', 'tokenKeys', 'clock');
    run.credentials = makeCredentialVerifier({ principals: backend.principals, keys: tokenKeys, clock });
    return run.credentials;
  },
  requireFreshMfa: async (from, { config }) => {
    const { makeRequireFreshMfa } = await import('#application/auth/mfa/fresh-mfa.ts');
    const maxAgeSeconds = config.mfaMaxAgeSeconds ?? DEFAULT_MFA_MAX_AGE_SECONDS;
    return makeRequireFreshMfa({ ...(await from('clock')), maxAgeSeconds });
  },
  checkPassword: async (from) => {
    const { makeCheckPassword } = await import('#application/auth/passwords.ts');
    const { backend, ...deps } = await from('backend', 'verifyPassword', 'hashPassword');
    return makeCheckPassword({ ...deps, signIns: backend.signIns });
  },
  openIdProviders: async (_, { config }) => {
    const { makeOpenIdProviders } = await import('#adapters/auth/openid-providers.ts');
    const { makeAskOutbound } = await import('#adapters/system/outbound.ts');
    const allowsPrivate = config.outboundPrivate ?? false;
    const ask = makeAskOutbound({ allowsPrivate, timeoutMs: 10_000, maxBytes: 1_048_576 });
    return makeOpenIdProviders({ ask, allowsInsecure: allowsPrivate });
  },
  auth: async (from, run) => {
    const { makeAuthUseCases } = await import('#application/auth/auth-use-cases.ts');
    const { makeIssueAccessToken } = await import('#adapters/auth/issue-access-token.ts');
    const { makeCursorSigner } = await import('#adapters/auth/cursor-signer.ts');
    const { webauthn } = await import('#adapters/auth/webauthn.ts');
    const { otpauthTotp } = await import('#adapters/auth/otpauth-totp.ts');
    const { randomSecrets } = await import('#adapters/auth/secret-generator.ts');
    const { backend, tokenKeys: keys, storage } = await from('backend', 'tokenKeys', 'storage');
    const { signInUnitOfWork } = storage;
    const deps = await from(
      'clock',
      'newId',
      'log',
      'requireFreshMfa',
      'verifyPassword',
      'hashPassword',
      'openIdProviders',
    );
    const issueAccessToken = makeIssueAccessToken({ ...deps, keys, lifetimeMs: keys.tokenLifetimeMs });
    return makeAuthUseCases({
      ...backend,
      ...(signInUnitOfWork !== undefined &&
        (await announcing({ ...backend, unitOfWork: signInUnitOfWork }, run))),
      ...deps,
      issueAccessToken,
      ceremonies: webauthn,
      cursors: makeCursorSigner(backend.cursorKey),
      totp: otpauthTotp,
      secrets: randomSecrets,
    });
  },
};

const REPORT_PARTS: Factories<'enrolment' | 'reporters' | 'readMessage' | 'answerAgent' | 'takeInventory'> = {
  enrolment: async (from) => {
    const { makeEnrolmentUseCases } = await import('#application/enrolment/enrolment-use-cases.ts');
    const { randomSecrets: secrets } = await import('#adapters/auth/secret-generator.ts');
    const { backend, ...deps } = await from('backend', 'clock', 'newId', 'requireFreshMfa');
    return makeEnrolmentUseCases({ ...backend, ...deps, secrets });
  },
  reporters: async (from) => {
    const { makeReporterVerifier } = await import('#adapters/auth/reporter-verifier.ts');
    const { backend, clock } = await from('backend', 'clock');
    return makeReporterVerifier({ ...backend, clock });
  },
  // The module is loaded by the first report.
  readMessage: () => async (document, orgId) => {
    const { readDocument } = await import('#adapters/glpi/messages/message-reader.ts');
    return readDocument(document, orgId);
  },
  answerAgent: async (from, { config }) => {
    const { makeAnswerAgent } = await import('#application/inventory/answer-agent.ts');
    const { makeVisitEntryFactory } = await import('#application/audit/make-entry.ts');
    const { backend, ...deps } = await from('backend', 'clock', 'newId', 'readMessage', 'reporters');
    const { contactMinutes, inventoryExpirationHours: expirationHours } = config;
    const makeVisitEntry = makeVisitEntryFactory(deps);
    return makeAnswerAgent({ ...backend, ...deps, contactMinutes, expirationHours, makeVisitEntry });
  },
  takeInventory: async (from) => {
    const { makeTakeInventory } = await import('#application/inventory/take-inventory.ts');
    const { makeDeny, makeEntryFactory } = await import('#application/audit/make-entry.ts');
    const { backend, ...deps } = await from('backend', 'clock', 'newId', 'readMessage');
    const makeEntry = makeEntryFactory(deps);
    const deny = makeDeny({ ...backend, makeEntry });
    return makeTakeInventory({ ...backend, ...deps, makeEntry, deny });
  },
};

const { storage, ...BACKEND } = STORAGE_PARTS;
const { argon2, cautiousClock, ...FOUNDATION } = FOUNDATION_PARTS;

export const PARTS: Factories<keyof Parts> = {
  ...FOUNDATION,
  ...BACKEND,
  ...IDENTITY_PARTS,
  ...FILTER_PARTS,
  ...DEVICE_PARTS,
  ...REPORT_PARTS,
  ...DELETION_PARTS,
  ...TENANT_PARTS,
};

export const INGREDIENTS: Factories<keyof Ingredients> = { ...PARTS, storage, argon2, cautiousClock };
