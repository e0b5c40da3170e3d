/** Answers while the service starts: it is alive, and takes no requests yet (Contract: §15). */
import { randomUUID } from 'node:crypto';
import { PROBLEM_MEDIA_TYPE, type Problem, presentProblem, statusOf } from './answer/problem-status.ts';
import { SECURITY_HEADERS } from './answer/respond.ts';

const STARTING: Problem = { code: 'unavailable', detail: 'The service is starting; try again shortly.' };

/** Seconds. */
const RETRY_SOON = { 'Retry-After': '2' };

export const startingApp = {
  fetch(request: Request): Response {
    const requestId = randomUUID();
    const answer = (status: number, body: string, headers: Readonly<Record<string, string>>) =>
      new Response(body, { status, headers: { ...SECURITY_HEADERS, 'X-Request-Id': requestId, ...headers } });
    if (new URL(request.url).pathname === '/healthz') {
      return answer(200, JSON.stringify({ status: 'ok' }), { 'Content-Type': 'application/json' });
    }
    return answer(statusOf(STARTING.code), presentProblem(STARTING, requestId), {
      'Content-Type': PROBLEM_MEDIA_TYPE,
      ...RETRY_SOON,
    });
  },
};
