import { Secret, TOTP } from 'otpauth';
import type { Totp } from '#application/ports/auth/totp.ts';

const PARAMETERS = { issuer: 'Fleetsift', algorithm: 'SHA1', digits: 6, period: 30 } as const;

const SECRET_BYTES = 20;

/** A code may be this many steps early or late. */
const DRIFT = 1;

export const otpauthTotp: Totp = {
  newSecret: () => new Secret({ size: SECRET_BYTES }).base32,
  keyUri: (secret, account) => withSecret(secret, account).toString(),
  findStep: (secret, code, now) => {
    const totp = withSecret(secret);
    const drift = totp.validate({ token: code, timestamp: now, window: DRIFT });
    return drift === null ? null : totp.counter({ timestamp: now }) + drift;
  },
};

export function currentTotpCode(secret: string, now: number): string {
  return withSecret(secret).generate({ timestamp: now });
}

function withSecret(secret: string, label = ''): TOTP {
  return new TOTP({ ...PARAMETERS, label, secret: Secret.fromBase32(secret) });
}
