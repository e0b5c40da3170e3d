/** Table sealing_key: keys that secrets may be sealed with, by id. */
import { defineEntity, p } from '@mikro-orm/core';

const SealingKeySchema = defineEntity({
  name: 'SealingKeyRow',
  tableName: 'sealing_key',
  properties: {
    keyId: p.text().primary(),
    /** A known text sealed with the key. */
    canary: p.text(),
  },
});

export class SealingKeyRow extends SealingKeySchema.class {}
SealingKeySchema.setClass(SealingKeyRow);
