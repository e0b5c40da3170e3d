/**
 * Jobs that mark silent devices, remove unused titles, and forget bulk changes that can no longer be undone
 * (Contract: §10, §13).
 */
import { isDueAgain, type Job } from '#application/job.ts';
import type { Clock, SharedClock } from '#application/ports/clock.ts';
import type { BulkChangeRemover } from '#application/ports/fleet/bulk-change-store.ts';
import type { HearingNotes, SilenceMarker } from '#application/ports/fleet/silence-marker.ts';
import type { UnusedTitleRemover } from '#application/ports/fleet/unused-title-remover.ts';
import { audibleAt, type Sign } from '#domain/inventory/presence.ts';

export interface SilenceJobDeps {
  readonly markSilent: SilenceMarker;
  readonly noteHearing: HearingNotes;
  /** Minutes without a sign until a device is marked offline. */
  readonly silenceMinutes: Readonly<Record<Sign, number>>;
  /** Time between polls of the worker. */
  readonly intervalMs: number;
  readonly clock: Clock;
}

/**
 * Below the minute in which a silent device must be offline, because the worker pauses between polls, and a run
 * takes time.
 */
const SILENCE_EVERY_MS = 50_000;

/** This many devices are locked at once. Their reports wait meanwhile. */
const SILENT_BATCH = 500;

export function makeSilenceJob(deps: SilenceJobDeps): Job {
  const { markSilent, noteHearing, silenceMinutes, intervalMs, clock } = deps;
  let doneAt = Number.NEGATIVE_INFINITY;
  return {
    name: 'silent devices',
    concurrency: 1,
    run: async ({ stopping }) => {
      const now = clock();
      if (!isDueAgain(doneAt, SILENCE_EVERY_MS, now)) return;
      const hearing = await noteHearing(now, Math.max(SILENCE_EVERY_MS, intervalMs));
      const audible = audibleAt(hearing, silenceMinutes);
      for (let marked = SILENT_BATCH; marked === SILENT_BATCH && !stopping.aborted; ) {
        marked = await markSilent(audible, SILENT_BATCH);
      }
      doneAt = now;
    },
  };
}

export interface UnusedTitlesJobDeps {
  readonly removeUnusedTitles: UnusedTitleRemover;
  readonly clock: Clock;
}

/** Well below the minute in which an unused title must be gone, because a run takes time. */
const TITLES_EVERY_MS = 20_000;

/** Organizations per call. */
const TITLES_BATCH = 100;

export function makeUnusedTitlesJob({ removeUnusedTitles, clock }: UnusedTitlesJobDeps): Job {
  let doneAt = Number.NEGATIVE_INFINITY;
  return {
    name: 'unused titles',
    concurrency: 1,
    run: async ({ stopping }) => {
      const now = clock();
      if (!isDueAgain(doneAt, TITLES_EVERY_MS, now)) return;
      for (let done = TITLES_BATCH; done >= TITLES_BATCH && !stopping.aborted; ) {
        done = await removeUnusedTitles(TITLES_BATCH);
      }
      doneAt = now;
    },
  };
}

export interface BulkChangesJobDeps {
  readonly removeBulkChanges: BulkChangeRemover;
  readonly clock: Clock | SharedClock;
}

/** Small, because a change may have 10,000 devices. */
const CHANGES_BATCH = 10;

export function makeBulkChangesJob({ removeBulkChanges, clock }: BulkChangesJobDeps): Job {
  return {
    name: 'bulk changes',
    concurrency: 1,
    run: async ({ stopping }) => {
      for (let removed = CHANGES_BATCH; removed === CHANGES_BATCH && !stopping.aborted; ) {
        removed = await removeBulkChanges(await clock(), CHANGES_BATCH);
      }
    },
  };
}
