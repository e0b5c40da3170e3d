/** Table own_network: networks that a user has signed in from. */
import { defineEntity, p } from '@mikro-orm/core';
import { UserRow } from './user-row.ts';

const OwnNetworkSchema = defineEntity({
  name: 'OwnNetworkRow',
  tableName: 'own_network',
  properties: {
    user: () => p.manyToOne(UserRow).primary(),
    network: p.text().primary(),
    lastAt: p.datetime(3),
  },
});

export class OwnNetworkRow extends OwnNetworkSchema.class {}
OwnNetworkSchema.setClass(OwnNetworkRow);
