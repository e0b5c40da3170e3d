import { defineEntity, p } from '@mikro-orm/core';
import type { LinkPurpose } from '#domain/access/account-link.ts';
import type { UserId } from '#domain/ids.ts';
import { UserRow } from './user-rows.ts';

const AccountLinkSchema = defineEntity({
  name: 'AccountLinkRow',
  tableName: 'account_link',
  properties: {
    tokenSha256: p.text().primary(),
    purpose: p.text().$type<LinkPurpose>(),
    user: () => p.manyToOne(UserRow).nullable(),
    authEpoch: p.integer().strictNullable(),
    passwordEpoch: p.integer().strictNullable(),
    mfaEpoch: p.integer().strictNullable(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
  },
});

export class AccountLinkRow extends AccountLinkSchema.class {}
AccountLinkSchema.setClass(AccountLinkRow);

const ResetRequestSchema = defineEntity({
  name: 'ResetRequestRow',
  tableName: 'password_reset_request',
  properties: {
    id: p.uuid().primary(),
    userId: p.uuid().$type<UserId>().strictNullable(),
    requestedAt: p.datetime(3),
  },
});

export class ResetRequestRow extends ResetRequestSchema.class {}
ResetRequestSchema.setClass(ResetRequestRow);
