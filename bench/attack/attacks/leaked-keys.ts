/** A leaked API key without permissions asks for and changes the account of its user, which no key may. */
import { randomUUID } from 'node:crypto';
import type { Attack } from '../attack.ts';
import { ask, type Question } from '../target/ask.ts';
import { floodWith } from '../target/flood.ts';
import type { Target } from '../target/target.ts';

const CLIENTS = 16;

const PASSWORDS = { currentPassword: 'correct horse battery', newPassword: 'wrong horse battery' };

const questions = ({ attackers: [, credential] }: Target): readonly Question[] => [
  {
    path: '/auth/account-deletion-request',
    credential,
    body: JSON.stringify({ password: 'x', reason: 'x' }),
  },
  {
    method: 'PATCH',
    path: `/auth/account-deletion-request/${randomUUID()}`,
    credential,
    body: '{"status":"cancelled"}',
  },
  { path: '/auth/sessions', credential },
  { method: 'DELETE', path: '/auth/sessions', credential },
  { path: '/auth/password', credential, body: JSON.stringify(PASSWORDS) },
  { path: '/auth/mfa/enroll', credential, body: '{"password":"x"}' },
  { path: '/auth/mfa/challenge', credential, body: '{"code":"000000"}' },
  { path: '/auth/api-keys', credential },
  { path: '/auth/api-keys', credential, body: '{"name":"another"}' },
];

export const leakedKeys: Attack = {
  name: 'leaked-keys',
  title: 'a leaked API key without permissions, at the account of its user',
  flood: (target, tally, signal) =>
    floodWith(target.url, CLIENTS, tally, signal, (client, round) => {
      const all = questions(target);
      return all[(client + round) % all.length] as Question;
    }),
  check: async (target) => {
    const granted: string[] = [];
    for (const question of questions(target)) {
      const answer = await ask(target.url, question);
      const { method = question.body === undefined ? 'GET' : 'POST', path } = question;
      if (answer?.status !== 403 && answer?.status !== 429)
        granted.push(`${answer?.status} to ${method} ${path}`);
    }
    return granted;
  },
};
