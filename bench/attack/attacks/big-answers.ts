/** Many clients read lists of many megabytes, or request them and do not read. */
import type { Attack } from '../attack.ts';
import type { Tally } from '../tally.ts';
import { floodWith, repeat } from '../target/flood.ts';
import { ended, head, openConnection } from '../target/raw-connection.ts';
import { createBigFilters } from './big-filters.ts';

const READERS = 8;

export const bigFilterLists: Attack = {
  name: 'big-filter-lists',
  title: 'a list of big filters, read by 8 at once',
  prepare: createBigFilters,
  flood: ({ url, attackers: [credential] }, tally, signal) =>
    floodWith(url, READERS, tally, signal, () => ({ path: '/filters', credential })),
};

const UNREAD_CONNECTIONS = 30;

export const unreadAnswers: Attack = {
  name: 'unread-answers',
  title: 'answers that nobody reads, on 30 connections',
  prepare: createBigFilters,
  flood: async ({ url, attackers: [credential] }, tally, signal) => {
    const request = head(url, 'GET /api/v1/filters', {}, credential);
    await repeat(UNREAD_CONNECTIONS, signal, () => leaveUnread(url, request, 1, tally, signal));
  },
};

const PIPELINED = 60;

export const pipelinedRequests: Attack = {
  name: 'pipelined-requests',
  title: '60 requests ahead on one connection, unread',
  prepare: createBigFilters,
  flood: async ({ url, attackers: [credential] }, tally, signal) => {
    const request = head(url, 'GET /api/v1/filters', {}, credential);
    await repeat(1, signal, () => leaveUnread(url, request, PIPELINED, tally, signal));
  },
};

/** Sends and reads nothing, until it is cut off or the signal comes. */
async function leaveUnread(
  url: string,
  request: string,
  times: number,
  tally: Tally,
  signal: AbortSignal,
): Promise<void> {
  const socket = await openConnection(url, signal);
  if (socket === null) return;
  socket.pause();
  socket.write(request.repeat(times));
  for (let i = 0; i < times; i++) tally.send();
  await ended(socket);
}
