import * as v from 'valibot';
import { id, listOf, name, type Shape, text } from '#adapters/http/common-shapes.ts';

export const PARTNER = v.object({ id: id('partner'), name: text('Northgate IT') });
export const PARTNERS = listOf(PARTNER);
export type Partner = Shape<typeof PARTNER>;
export const TENANT = v.object({
  id: id('organization'),
  partnerId: id('partner'),
  name: text('Kestrel Lane'),
});
export const SITE = v.object({ id: id('site'), orgId: id('organization'), name: text('Warehouse') });

export const NAME = v.object({ name: name('Kestrel Lane') });
export const NEW_TENANT = v.object({
  ...NAME.entries,
  partnerId: v.nullish(id('partner', "Default: the caller's partner.")),
});
export const NEW_SITE = v.object({ orgId: v.nullish(id('organization')), name: name('Warehouse') });
