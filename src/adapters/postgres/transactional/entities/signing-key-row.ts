/** Table signing_key. The private key is encrypted. */
import { defineEntity, p } from '@mikro-orm/core';

const SigningKeySchema = defineEntity({
  name: 'SigningKeyRow',
  tableName: 'signing_key',
  properties: {
    kid: p.text().primary(),
    privateJwk: p.text(),
    createdAt: p.datetime(3),
  },
});

export class SigningKeyRow extends SigningKeySchema.class {}
SigningKeySchema.setClass(SigningKeyRow);
