import * as v from 'valibot';
import { INSTANT, id, listOf, name, type Shape, shown, text } from '#adapters/http/common-shapes.ts';

export const VISIT = v.object({
  location: text(
    'https://login.kestrel-lane.example/authorize?client_id=fleetsift',
    'The address to which the browser must go.',
  ),
});
export type VisitStart = Shape<typeof VISIT>;

const OWN_PROVIDER = v.object({
  id: id('other'),
  name: name('Entra'),
  linkedAt: shown(v.nullable(INSTANT), null, "Null if the caller's account is not linked."),
  lastSignInAt: shown(v.nullable(INSTANT), null),
  permanent: shown(
    v.boolean(),
    false,
    'Whether this provider created the account, so that it cannot be unlinked.',
  ),
});
export type OwnProvider = Shape<typeof OWN_PROVIDER>;

export const OWN_PROVIDERS = listOf(OWN_PROVIDER);
export type OwnProviders = Shape<typeof OWN_PROVIDERS>;
