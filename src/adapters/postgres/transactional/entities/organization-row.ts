/** Tables organization and partner. */
import { defineEntity, p } from '@mikro-orm/core';
import type { OrgId, PartnerId } from '#domain/ids.ts';

const PartnerSchema = defineEntity({
  name: 'PartnerRow',
  tableName: 'partner',
  properties: {
    id: p.uuid().$type<PartnerId>().primary(),
    name: p.text(),
  },
});

export class PartnerRow extends PartnerSchema.class {}
PartnerSchema.setClass(PartnerRow);

const OrganizationSchema = defineEntity({
  name: 'OrganizationRow',
  tableName: 'organization',
  properties: {
    id: p.uuid().$type<OrgId>().primary(),
    partner: () => p.manyToOne(PartnerRow),
    name: p.text(),
  },
});

export class OrganizationRow extends OrganizationSchema.class {}
OrganizationSchema.setClass(OrganizationRow);
