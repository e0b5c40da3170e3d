/** Partners, organizations and sites (Contract: §9, "The load file"). */
import { members } from './members.ts';
import { id, kind, name } from './scalar-schemas.ts';

/** `{id, name}` */
export const partnerSchema = members({
  kind: kind('partner'),
  id: id<'partner'>(),
  name,
});

/** `{id, partnerId, name}` */
export const organizationSchema = members({
  kind: kind('organization'),
  id: id<'organization'>(),
  partnerId: id<'partner'>(),
  name,
});

/** `{id, orgId, name}` */
export const siteSchema = members({
  kind: kind('site'),
  id: id<'site'>(),
  orgId: id<'organization'>(),
  name,
});
