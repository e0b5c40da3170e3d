import { hash } from 'node:crypto';
import type { DigestSecret } from '#application/ports/auth/digest-secret.ts';

export const digestSecret: DigestSecret = (secret) => hash('sha256', secret, 'hex');
