import { createHmac, hash, randomBytes, randomInt } from 'node:crypto';
import type { DigestSecret } from '#application/ports/auth/digest-secret.ts';
import type { SecretGenerator } from '#application/ports/auth/secret-generator.ts';
import { toLinkToken } from '#domain/access/account-link.ts';
import { toRefreshToken } from '#domain/access/session.ts';

export const digestSecret: DigestSecret = (secret) => hash('sha256', secret, 'hex');

/** Without i, l, o and u, which people misread. */
const RECOVERY_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

export const randomSecrets: SecretGenerator = {
  refreshToken: (carrier) => toRefreshToken(carrier, randomText()),
  salt: randomText,
  nextCookieToken: (token, salt) =>
    toRefreshToken('cookie', createHmac('sha256', salt).update(token).digest('base64url')),
  recoveryCode: () => Array.from({ length: 4 }, randomGroup).join('-'),
  apiKey: () => `fsk_${randomText()}`,
  linkToken: () => toLinkToken(randomText()),
  enrolmentKey: () => `fse_${randomText()}`,
  webhookSecret: () => `whsec_${randomBytes(32).toString('base64')}`,
  digest: digestSecret,
};

/** 256 random bits, so a plain digest is safe to store. */
function randomText(): string {
  return randomBytes(32).toString('base64url');
}

function randomGroup(): string {
  return Array.from({ length: 4 }, () => RECOVERY_ALPHABET.charAt(randomInt(RECOVERY_ALPHABET.length))).join(
    '',
  );
}
