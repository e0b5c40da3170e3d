/** Floods that need no credential. The emails are made up, so no account is touched. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from '../attack.ts';
import { ask } from '../target/ask.ts';
import { floodWith, repeat } from '../target/flood.ts';
import { firstStatus, head, openConnection } from '../target/raw-connection.ts';
import { strangerAddress, type Target } from '../target/target.ts';

const signInBody = () =>
  JSON.stringify({ email: `${randomUUID()}@attack.invalid`, password: 'correct horse battery' });

export const signInFlood: Attack = {
  name: 'sign-in-flood',
  title: 'sign-ins, 64 at once, from many networks where the machine has them',
  flood: ({ url }, tally, signal) =>
    floodWith(url, 64, tally, signal, (client, round) => ({
      path: '/auth/login',
      body: signInBody(),
      from: strangerAddress(url, client, round),
    })),
};

const HALF_SENT = 300;

export const halfSentSignIns: Attack = {
  name: 'half-sent-sign-ins',
  title: '300 sign-ins of which half is sent',
  flood: ({ url }, tally, signal) =>
    repeat(HALF_SENT, signal, async () => {
      const socket = await openConnection(url, signal);
      if (socket === null) return;
      const request = head(url, 'POST /api/v1/auth/login', {
        'Content-Type': 'application/json',
        'Content-Length': 16_384,
      });
      tally.send();
      socket.write(request + '"'.padEnd(8_192, 'x'));
      tally.receive(await firstStatus(socket));
      socket.destroy();
    }),
};

export const resetsAfterSending: Attack = {
  name: 'resets-after-sending',
  title: 'sign-ins whose connection is reset after sending',
  flood: ({ url }, tally, signal) =>
    repeat(16, signal, async () => {
      const socket = await openConnection(url, signal);
      if (socket === null) return;
      const body = signInBody();
      const request = head(url, 'POST /api/v1/auth/login', {
        'Content-Type': 'application/json',
        'Content-Length': body.length,
      });
      tally.send();
      await new Promise((resolve) => socket.write(request + body, resolve));
      socket.resetAndDestroy();
      // The attacker must not run out of ports.
      await sleep(5);
    }),
};

export const guessedCodes: Attack = {
  name: 'guessed-codes',
  title: 'guessing the codes of a second factor',
  needsSession: true,
  flood: async ({ url, session }, tally, signal) => {
    if (session === null) return;
    await floodWith(url, 16, tally, signal, (client, round) => ({
      path: '/auth/mfa/challenge',
      credential: session,
      body: JSON.stringify({ code: String((client * 61_681 + round) % 1_000_000).padStart(6, '0') }),
    }));
  },
};

/** The emails look like the key that once counted sign-ins from a user's own network. */
export const lookalikeEmails: Attack = {
  name: 'lookalike-emails',
  title: 'sign-ins under emails that name somebody’s network',
  needsPerson: true,
  prepare: async (target) => {
    // From now on the network is known.
    const refused = await signInAtHome(target);
    if (refused.length > 0) throw new Error(`without any attack, the person gets ${refused[0]}`);
    return async () => undefined;
  },
  flood: async ({ url, person }, tally, signal) => {
    if (person === null) return;
    const { email, network } = person;
    const emails = [`${email} from ${network}`, JSON.stringify([email, network])];
    await floodWith(url, 16, tally, signal, (client, round) => ({
      path: '/auth/login',
      body: JSON.stringify({ email: emails[round % emails.length], password: 'correct horse battery' }),
      from: strangerAddress(url, client, round),
    }));
  },
  check: signInAtHome,
};

/** The status of a correct sign-in from home, unless it is 200. */
async function signInAtHome({ url, person }: Target): Promise<readonly string[]> {
  if (person === null) return [];
  const { email, password, home } = person;
  const body = JSON.stringify({ email, password });
  const answer = await ask(url, { path: '/auth/login', body, from: home });
  return answer?.status === 200 ? [] : [String(answer?.status ?? 'none')];
}
