import * as v from 'valibot';
import { id, optionalText, type Shape, text } from '#adapters/http/common-shapes.ts';
import { CODE, EMAIL, NEW_PASSWORD, PASSKEY_ANSWER } from './auth-shapes.ts';

const TOKEN = text(`fsl_${'x'.repeat(43)}`, 'What follows `#` in the link.');

export const TOKEN_BODY = v.object({ token: TOKEN });

const named = (kind: 'organization' | 'partner', name: string) =>
  v.nullable(v.object({ id: id(kind), name: text(name) }));

export const INVITATION = v.object({
  email: optionalText('rosalind.moorcroft@kestrel-lane.example'),
  name: optionalText('Rosalind Moorcroft'),
  organization: named('organization', 'Kestrel Lane'),
  partner: named('partner', 'Northwind MSP'),
});
export type Invitation = Shape<typeof INVITATION>;

const FIRST_RUN = 'On an empty service only.';

export const ACCEPTANCE = v.object({
  token: TOKEN,
  name: v.nullish(text('Rosalind Moorcroft', 'Default: the name in the invitation.')),
  password: NEW_PASSWORD,
  email: v.nullish(text('rosalind.moorcroft@kestrel-lane.example', FIRST_RUN)),
  partnerName: v.nullish(text('Northwind MSP', FIRST_RUN)),
  organizationName: v.nullish(text('Kestrel Lane', FIRST_RUN)),
});

export const FIRST_RUN_STATE = v.object({ open: v.boolean() });
export type FirstRun = Shape<typeof FIRST_RUN_STATE>;

export const RESET_REQUEST = v.object({ email: EMAIL });

export const RESET = v.object({
  token: TOKEN,
  newPassword: NEW_PASSWORD,
  code: CODE,
  passkey: v.nullish(PASSKEY_ANSWER),
});
