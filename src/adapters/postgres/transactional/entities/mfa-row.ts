/** Tables mfa_enrollment and recovery_code. A confirmed factor is part of the user's row. */
import { defineEntity, p } from '@mikro-orm/core';
import { UserRow } from './user-row.ts';

const MfaEnrollmentSchema = defineEntity({
  name: 'MfaEnrollmentRow',
  tableName: 'mfa_enrollment',
  properties: {
    user: () => p.oneToOne(UserRow).primary(),
    /** Encrypted. */
    totpSecret: p.text(),
    startedAt: p.datetime(3),
  },
});

export class MfaEnrollmentRow extends MfaEnrollmentSchema.class {}
MfaEnrollmentSchema.setClass(MfaEnrollmentRow);

const RecoveryCodeSchema = defineEntity({
  name: 'RecoveryCodeRow',
  tableName: 'recovery_code',
  properties: {
    user: () => p.manyToOne(UserRow).primary(),
    codeSha256: p.text().primary(),
  },
});

export class RecoveryCodeRow extends RecoveryCodeSchema.class {}
RecoveryCodeSchema.setClass(RecoveryCodeRow);
