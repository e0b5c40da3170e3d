/** Reads that find nothing, which look through the most, and one that is quick enough to send many. */
import { randomUUID } from 'node:crypto';
import type { Attack } from '../attack.ts';
import { floodWith } from '../target/flood.ts';

const CLIENTS = 24;

export const filterSearches: Attack = {
  name: 'filter-searches',
  title: '24 searches of the filter list',
  flood: ({ url, attackers: [credential] }, tally, signal) =>
    floodWith(url, CLIENTS, tally, signal, (_, round) => ({
      path: `/filters?search=nothing-${round}`,
      credential,
    })),
};

export const auditLogReads: Attack = {
  name: 'audit-log-reads',
  title: '24 reads of the audit log by an unknown actor',
  flood: ({ url, attackers: [credential] }, tally, signal) =>
    floodWith(url, CLIENTS, tally, signal, () => ({
      path: `/admin/audit-log?actorId=${randomUUID()}`,
      credential,
    })),
};

const STATUS = JSON.stringify({
  conditions: {
    operator: 'AND',
    conditions: [{ field: 'status', operator: 'equals', value: 'offline' }],
  },
  limit: 10,
});

export const quickPreviews: Attack = {
  name: 'quick-previews',
  title: 'one quick preview, 24 at once by two of one organization',
  flood: ({ url, attackers }, tally, signal) =>
    floodWith(url, CLIENTS, tally, signal, (client) => ({
      path: '/filters/preview',
      credential: attackers[client % 2 === 0 ? 0 : 1],
      body: STATUS,
    })),
};
