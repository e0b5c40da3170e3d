/**
 * A long answer is made in pieces. Each piece blocks the event loop for milliseconds, so only a few are made at once.
 */
import { type Claimant, FairShare } from '#application/admission/fair-share.ts';

export type PiecesInTurn = (claimant: Claimant, pieces: AsyncGenerator<string>) => AsyncGenerator<string>;

/** In UTF-16 code units. Most answers are shorter and take no turns. */
const FREE_LENGTH = 64 * 1024;

/** Two turns in all, but one per tenant, so a slow piece of one tenant does not delay the others. */
const SHARE = {
  total: 2,
  perTenant: 1,
  perCaller: 1,
  maxWaitingPerCaller: Number.POSITIVE_INFINITY,
  maxWaitingPerTenant: Number.POSITIVE_INFINITY,
  // Admission bounds the number of streams, so a longer wait means a fault.
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
