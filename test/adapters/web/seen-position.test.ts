/** The console sees its own changes on any replica, because it sends the position of the last one (Contract: §15). */
import { afterEach, expect, test, vi } from 'vitest';
import { Api } from '#console/api/http.ts';
import type { Session } from '#console/api/session.ts';

const HEADER = 'X-Fleetsift-Position';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** An API that answers with these positions in turn, and the positions that it received. */
function anApi(positions: readonly (string | null)[]) {
  const sent: (string | null)[] = [];
  const answers = positions.values();
  vi.stubGlobal('fetch', async (_url: string, { headers }: RequestInit) => {
    sent.push(new Headers(headers).get(HEADER));
    const position = answers.next().value ?? null;
    return Response.json({}, { headers: position === null ? {} : { [HEADER]: position } });
  });
  return { api: new Api({ token: async () => 'token' } as Session), sent };
}

test('no position is sent before anything has changed', async () => {
  const { api, sent } = anApi([null, null]);
  await api.call('/devices');
  await api.call('/filters');
  expect(sent).toStrictEqual([null, null]);
});

test('later requests send the position of the last change', async () => {
  const { api, sent } = anApi(['0/1', null, null, '0/2', null]);
  for (let i = 0; i < 5; i++) await api.call('/filters');
  expect(sent).toStrictEqual([null, '0/1', '0/1', '0/1', '0/2']);
});
