import { countCodePoints } from '#domain/text/code-points.ts';

/** In code points. */
export const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 256;

export const PASSWORD_LENGTH = `${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`;

export type PasswordLengthFault = 'too-short' | 'too-long';

/** Null if the length is right. */
export function passwordLengthFault(password: string): PasswordLengthFault | null {
  const length = countCodePoints(password);
  if (length < MIN_PASSWORD_LENGTH) return 'too-short';
  return length > MAX_PASSWORD_LENGTH ? 'too-long' : null;
}
