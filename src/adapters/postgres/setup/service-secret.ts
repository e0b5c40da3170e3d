/** A secret that the service keeps for itself; only the owner may look. */
import { defineEntity, p } from '@mikro-orm/core';

export const ServiceSecret = defineEntity({
  name: 'ServiceSecret',
  tableName: 'service_secret',
  properties: { name: p.text().primary(), value: p.text() },
});
