/** Table rate_limit: how many attempts were counted under a hash, and when their window ends. */
import { defineEntity, p } from '@mikro-orm/core';

const RateLimitSchema = defineEntity({
  name: 'RateLimitRow',
  tableName: 'rate_limit',
  properties: {
    key: p.text().primary(),
    points: p.integer(),
    expiresAt: p.datetime(3),
  },
});

export class RateLimitRow extends RateLimitSchema.class {}
RateLimitSchema.setClass(RateLimitRow);
