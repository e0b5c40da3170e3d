/** In the order of the table. */
import type { Attack } from './attack.ts';
import { bigFilterLists, pipelinedRequests, unreadAnswers } from './attacks/big-answers.ts';
import { manyAddresses, manyLocks } from './attacks/big-machines.ts';
import { escapeSequences } from './attacks/escapes.ts';
import { leakedKeys } from './attacks/leaked-keys.ts';
import { ambiguousRequests, unwantedBodies } from './attacks/odd-requests.ts';
import { auditLogReads, filterSearches, quickPreviews } from './attacks/reads.ts';
import { reports } from './attacks/reports.ts';
import {
  guessedCodes,
  halfSentSignIns,
  lookalikeEmails,
  resetsAfterSending,
  signInFlood,
} from './attacks/sign-ins.ts';
import { slowPatterns } from './attacks/slow-patterns.ts';
import { newTitles } from './attacks/titles.ts';
import { unknownMembers } from './attacks/unknown-members.ts';

export const ATTACKS: readonly Attack[] = [
  slowPatterns,
  filterSearches,
  auditLogReads,
  quickPreviews,
  bigFilterLists,
  unreadAnswers,
  pipelinedRequests,
  unknownMembers,
  reports,
  newTitles,
  manyAddresses,
  manyLocks,
  escapeSequences,
  leakedKeys,
  halfSentSignIns,
  resetsAfterSending,
  signInFlood,
  guessedCodes,
  lookalikeEmails,
  ambiguousRequests,
  unwantedBodies,
];
