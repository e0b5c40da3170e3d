import * as v from 'valibot';
import { INSTANT, id, listOf, name, type Shape, shown, text } from '#adapters/http/common-shapes.ts';

export const VISIT = v.object({
  location: text(
    'https://login.kestrel-lane.example/authorize?client_id=fleetsift',
    'Where the browser goes.',
  ),
});
export type VisitStart = Shape<typeof VISIT>;

const OWN_PROVIDER = v.object({
  id: id('other'),
  name: name('Entra'),
  linkedAt: shown(v.nullable(INSTANT), null, 'Null: it does not sign in the caller.'),
  lastSignInAt: shown(v.nullable(INSTANT), null),
  permanent: shown(v.boolean(), false, 'Whether it made the account, so that the link cannot end.'),
});
export type OwnProvider = Shape<typeof OWN_PROVIDER>;

export const OWN_PROVIDERS = listOf(OWN_PROVIDER);
export type OwnProviders = Shape<typeof OWN_PROVIDERS>;
