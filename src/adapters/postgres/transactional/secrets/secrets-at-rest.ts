/** Encrypts the secrets of this database: with the operator's key if there is one, else with the database's own. */
import { UnusableDatabaseError } from '#adapters/postgres/setup/unusable-database-error.ts';
import { err, ok, type Result } from '#domain/result.ts';
import type { SecretPlace } from './sealed-places.ts';

/** Encryption with one key. */
export interface SecretBox {
  /** Identifies the key without revealing it. */
  readonly keyId: string;
  /** What every box that this key seals begins with. */
  readonly prefix: string;
  /** Encrypts and authenticates, for this place only. */
  seal(secret: string, place: SecretPlace): string;
  /** What was sealed; throws if it was tampered with, or sealed with another key or for another place. */
  open(sealed: string, place: SecretPlace): string;
}

/** Seals with one key, and opens with any that is known. */
export interface SecretsAtRest extends Pick<SecretBox, 'seal' | 'open'> {
  /** The box that seals. */
  readonly current: SecretBox;
  /** What boxes of every known key begin with. */
  readonly prefixes: readonly string[];
  /** The box that opens a secret, and the secret; null if no known key does. */
  tryOpen(sealed: string, place: SecretPlace): { readonly secret: string; readonly box: SecretBox } | null;
  /** What another database may have sealed, as this one does; or why it cannot be read. */
  takeSealed(sealed: string, place: SecretPlace): Result<string, string>;
}

export interface SecretsAtRestDeps {
  readonly makeSecretBox: (key: string) => SecretBox;
  /** The key in the database, which only its owner can read. */
  readonly keptKey: string;
  /** The operator's key, which is kept outside the database; null if there is none. */
  readonly secretKey: string | null;
  /** Another key of the operator's, which only opens; null if there is none. */
  readonly previousKey: string | null;
}

/** Secrets from before the operator had a key can still be opened, with the database's own. */
export function makeSecretsAtRest(deps: SecretsAtRestDeps): SecretsAtRest {
  const { makeSecretBox, keptKey, secretKey, previousKey } = deps;
  const current = makeSecretBox(secretKey ?? keptKey);
  const others = [previousKey, keptKey].filter((key) => key !== null).map(makeSecretBox);
  const tryOpen: SecretsAtRest['tryOpen'] = (sealed, place) => {
    for (const box of [current, ...others]) {
      try {
        return { secret: box.open(sealed, place), box };
      } catch {
        // Sealed with another key; the next box may have it.
      }
    }
    return null;
  };
  return {
    current,
    prefixes: [current, ...others].map(({ prefix }) => prefix),
    seal: (secret, place) => current.seal(secret, place),
    tryOpen,
    takeSealed: (sealed, place) => {
      const opened = tryOpen(sealed, place);
      if (opened === null) return err(explainUnreadable(sealed));
      return ok(opened.box === current ? sealed : current.seal(opened.secret, place));
    },
    open: (sealed, place) => {
      const opened = tryOpen(sealed, place);
      if (opened !== null) return opened.secret;
      throw new UnusableDatabaseError(
        `A secret in ${place.table} was sealed for another row, or with ${keyOf(sealed)} that is neither SECRET_KEY nor SECRET_KEY_PREVIOUS of this instance; restart it with that key as one of them.`,
      );
    },
  };
}

function keyOf(sealed: string): string {
  const keyId = keyIdOf(sealed);
  return keyId === null ? 'a key' : `a key (its id is ${keyId})`;
}

/** A box names its key, but for those of the first version. */
export function keyIdOf(sealed: string): string | null {
  return /^v2\.([^.]+)\./.exec(sealed)?.[1] ?? null;
}

function explainUnreadable(sealed: string): string {
  return `was sealed for another row, or with ${keyOf(sealed)} that is neither SECRET_KEY nor SECRET_KEY_PREVIOUS; set SECRET_KEY_PREVIOUS to the SECRET_KEY of the service that the dump is from`;
}
