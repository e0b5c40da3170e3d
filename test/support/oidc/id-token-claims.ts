/** Claims of ID tokens as the large providers write them, with made-up people. */
import type { IdTokenClaims } from '#domain/access/id-token.ts';

const TIMES = { iat: 1_795_500_000, exp: 1_795_503_600, auth_time: 1_795_499_990 };

/** Version 2.0 with the optional claims `email`, `xms_edov`, `groups`, `acr` and `amr`. Groups are object ids. */
export const ENTRA: IdTokenClaims = {
  ...TIMES,
  aud: '6731de76-14a6-49ae-97bc-6eba6914391e',
  iss: 'https://login.microsoftonline.com/b9419818-09af-49c2-b0c3-653adc1f376e/v2.0',
  nbf: 1_795_500_000,
  amr: ['pwd', 'mfa'],
  email: 'ines.moreau@kestrel.example',
  xms_edov: true,
  groups: ['d2e4a7c1-5b0f-4a53-9d6c-0b8f1f1f7d11', '0f6b6a52-7c60-4b0c-8e43-98b4fd5f3b22'],
  name: 'Inès Moreau',
  nonce: '12345',
  oid: '7f0f5b12-0a56-4b87-a53d-2ef2cf3f8b1c',
  preferred_username: 'ines.moreau@kestrel.example',
  rh: '0.AbcA',
  sub: 'mBGvRwSCYlxBQQSz4bJ6ZvJ3fV1nTQrDkWvqKZ2n1sQ',
  tid: 'b9419818-09af-49c2-b0c3-653adc1f376e',
  uti: 'fqiBqXLPj0eQa82S-IYFAA',
  ver: '2.0',
};

/** With more than 200 groups, Entra leaves them out and says where to ask for them. */
export const ENTRA_OVERAGE: IdTokenClaims = {
  ...Object.fromEntries(Object.entries(ENTRA).filter(([name]) => name !== 'groups')),
  _claim_names: { groups: 'src1' },
  _claim_sources: {
    src1: {
      endpoint:
        'https://graph.microsoft.com/v1.0/users/7f0f5b12-0a56-4b87-a53d-2ef2cf3f8b1c/getMemberObjects',
    },
  },
};

/** An org authorization server with a groups claim. Groups are names. */
export const OKTA: IdTokenClaims = {
  ...TIMES,
  sub: '00uid4BxXw6I6TV4m0g3',
  name: 'Tomasz Lind',
  email: 'tomasz.lind@varhaug.example',
  ver: 1,
  iss: 'https://varhaug.okta.example',
  aud: 'uAaunofWkaDJxukCFeBx',
  jti: 'ID.4eAWJOCMB3SX8XewDfVR',
  amr: ['pwd', 'otp', 'mfa'],
  idp: '00ok1u7AsAkrwdZL3z0g3',
  preferred_username: 'tomasz.lind@varhaug.example',
  email_verified: true,
  at_hash: 'cpqKfdQA5eH891Ff5oJr_Q',
  groups: ['Everyone', 'Fleetsift Admins'],
};

/** No groups, amr, acr or auth_time. `hd` is the Workspace. */
export const GOOGLE: IdTokenClaims = {
  iat: TIMES.iat,
  exp: TIMES.exp,
  iss: 'https://accounts.google.com',
  azp: '1234987819200.apps.googleusercontent.com',
  aud: '1234987819200.apps.googleusercontent.com',
  sub: '10769150350006150715113082367',
  at_hash: 'HK6E_P6Dh8Y93mRNtsDB1Q',
  hd: 'kestrel.example',
  email: 'mei.tanaka@kestrel.example',
  email_verified: true,
  name: 'Mei Tanaka',
  picture: 'https://lh3.googleusercontent.com/a-/none',
  given_name: 'Mei',
  family_name: 'Tanaka',
};

/** A realm with a mapper that puts roles into the ID token, and levels of authentication. */
export const KEYCLOAK: IdTokenClaims = {
  ...TIMES,
  jti: '0ef1f0c8-6a2a-4f2a-9c9f-7a4a6f3a90d3',
  iss: 'https://id.varhaug.example/realms/staff',
  aud: 'fleetsift',
  sub: '9a9c2b0e-31ac-4f7c-9cfa-9d9a4f6e7a55',
  typ: 'ID',
  azp: 'fleetsift',
  sid: '7f0a5b4d-22a1-4cbe-8f43-7b2a36a5d7a1',
  acr: 'gold',
  email_verified: false,
  realm_access: { roles: ['default-roles-staff', 'fleet-operators'] },
  groups: ['/staff/it'],
  preferred_username: 'sagal',
  given_name: 'Sagal',
  family_name: 'Warsame',
  email: 'sagal@varhaug.example',
};
