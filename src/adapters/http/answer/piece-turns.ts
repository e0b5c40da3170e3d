/**
 * Turns at making long answers. A piece can be a megabyte, which holds the event loop for some milliseconds; if every
 * reader of a tenant had theirs made at once, all others would wait for all of them.
 */
import { type Claimant, FairShare } from '#application/admission/fair-share.ts';

/** Makes the pieces of an answer when they are asked for. */
export type PiecesInTurn = (claimant: Claimant, pieces: AsyncGenerator<string>) => AsyncGenerator<string>;

/** What is made without a turn, in UTF-16 code units: as much as most answers have. */
const FREE_LENGTH = 64 * 1024;

/** One of a tenant at a time; two, so that nobody waits for a tenant whose piece is long in coming. */
const SHARE = {
  total: 2,
  perTenant: 1,
  perCaller: 1,
  maxWaitingPerCaller: Number.POSITIVE_INFINITY,
  maxWaitingPerTenant: Number.POSITIVE_INFINITY,
  // There are as many streams as admission lets through; a wait so long means that something is wrong.
  maxWaitMs: 120_000,
};

export function makePiecesInTurn(): PiecesInTurn {
  const share = new FairShare(SHARE);
  return async function* (claimant, pieces) {
    let length = 0;
    try {
      for (;;) {
        const turn = length < FREE_LENGTH ? null : await share.claim(claimant, 1);
        if (turn !== null && turn.kind !== 'granted') throw new Error('the next piece got no turn');
        const next = await pieces.next().finally(() => turn?.release());
        if (next.done === true) return;
        length += next.value.length;
        yield next.value;
      }
    } finally {
      await pieces.return(undefined);
    }
  };
}
