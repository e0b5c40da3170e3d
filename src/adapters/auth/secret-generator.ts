/** Secrets from the system's random source. */
import { randomBytes, randomInt } from 'node:crypto';
import type { SecretGenerator } from '#application/ports/auth/secret-generator.ts';
import { generateApiKey } from './api-key.ts';
import { digestSecret } from './digest-secret.ts';

/** Without i, l, o and u, which are misread; 5 bits each. */
const RECOVERY_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

export const randomSecrets: SecretGenerator = {
  refreshToken: () => `fsr_${randomBytes(32).toString('base64url')}`,
  recoveryCode: () => Array.from({ length: 4 }, randomGroup).join('-'),
  apiKey: generateApiKey,
  digest: digestSecret,
};

function randomGroup(): string {
  return Array.from({ length: 4 }, () => RECOVERY_ALPHABET.charAt(randomInt(RECOVERY_ALPHABET.length))).join(
    '',
  );
}
