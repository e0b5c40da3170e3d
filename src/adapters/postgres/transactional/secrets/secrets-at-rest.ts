/** Encrypts secrets with the operator's key if set, else with the database's key. */
import { UnusableDatabaseError } from '#adapters/postgres/setup/explain-failure.ts';
import { err, ok, type Result } from '#domain/result.ts';

/** Part of what a box authenticates: it opens only here. */
export interface SecretPlace {
  readonly table: string;
  /** The primary key as PostgreSQL prints it. */
  readonly row: string;
  readonly column: string;
}

/** Encryption with one key. */
export interface SecretBox {
  /** Identifies the key without revealing it. */
  readonly keyId: string;
  /** The beginning of every box sealed with this key. */
  readonly prefix: string;
  /** For this place only. */
  seal(secret: string, place: SecretPlace): string;
  /** Throws if the box was changed, or sealed with another key or for another place. */
  open(sealed: string, place: SecretPlace): string;
}

/** Seals with one key, opens with any known key. */
export interface SecretsAtRest extends Pick<SecretBox, 'seal' | 'open'> {
  readonly current: SecretBox;
  readonly prefixes: readonly string[];
  /** The secret and the box that opened it; null if no known key does. */
  tryOpen(sealed: string, place: SecretPlace): { readonly secret: string; readonly box: SecretBox } | null;
  /** Reseals a secret that another database may have sealed, or says why it cannot be read. */
  takeSealed(sealed: string, place: SecretPlace): Result<string, string>;
}

export interface SecretsAtRestDeps {
  readonly makeSecretBox: (key: string) => SecretBox;
  /** Stored in the database, readable by its owner only. */
  readonly keptKey: string;
  /** The operator's key, kept outside the database. */
  readonly secretKey: string | null;
  /** The operator's former key, which only opens. */
  readonly previousKey: string | null;
}

/** Secrets sealed before the operator had a key are opened with the database's key. */
export function makeSecretsAtRest(deps: SecretsAtRestDeps): SecretsAtRest {
  const { makeSecretBox, keptKey, secretKey, previousKey } = deps;
  const current = makeSecretBox(secretKey ?? keptKey);
  const others = [previousKey, keptKey].filter((key) => key !== null).map(makeSecretBox);
  const tryOpen: SecretsAtRest['tryOpen'] = (sealed, place) => {
    for (const box of [current, ...others]) {
      try {
        return { secret: box.open(sealed, place), box };
      } catch {
        // Another key; try the next box.
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

/** Boxes of the first version name no key. */
export function keyIdOf(sealed: string): string | null {
  return /^v2\.([^.]+)\./.exec(sealed)?.[1] ?? null;
}

function explainUnreadable(sealed: string): string {
  return `was sealed for another row, or with ${keyOf(sealed)} that is neither SECRET_KEY nor SECRET_KEY_PREVIOUS; set SECRET_KEY_PREVIOUS to the SECRET_KEY of the service that the dump is from`;
}
