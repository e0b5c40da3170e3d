/** Must not import React, because the account deletion page loads this module too (Contract: §16). */
import { ApiError, readJson, sendOrThrow } from './http.ts';

/** False without WebAuthn, and at addresses that are neither https nor localhost. */
export const CAN_USE_PASSKEYS = typeof window.PublicKeyCredential === 'function';

/** Returns the browser's answer, which the API takes as `passkey`. */
export async function provePasskey(): Promise<unknown> {
  const response = await sendOrThrow('/api/v1/auth/passkey/options', { method: 'POST' });
  const optionsJSON = await readJson<never>(response);
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return inBrowser(() => startAuthentication({ optionsJSON }));
}

/** Throws `ApiError` with a vague reason. Browsers hide the real one, so that pages cannot probe for passkeys. */
export async function inBrowser<T>(ceremony: () => Promise<T>): Promise<T> {
  try {
    return await ceremony();
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    throw new ApiError({
      status: 0,
      code: 'passkey_failed',
      detail: FAULTS[name] ?? FAULTS['NotAllowedError'] ?? '',
    });
  }
}

const FAULTS: Readonly<Record<string, string>> = {
  NotAllowedError: 'No passkey was used. The browser’s dialog was closed or timed out.',
  InvalidStateError: 'This device already has a passkey for your account.',
  SecurityError:
    'Passkeys do not work at this address. Open the console by its host name with https, or at localhost.',
};
