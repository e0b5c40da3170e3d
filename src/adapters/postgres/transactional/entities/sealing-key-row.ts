/** Table sealing_key: the keys that secrets of this database may be sealed with, by their ids. */
import { defineEntity, p } from '@mikro-orm/core';

const SealingKeySchema = defineEntity({
  name: 'SealingKeyRow',
  tableName: 'sealing_key',
  properties: {
    keyId: p.text().primary(),
    /** A known text, sealed with the key. */
    canary: p.text(),
  },
});

export class SealingKeyRow extends SealingKeySchema.class {}
SealingKeySchema.setClass(SealingKeyRow);
