/** Why a replica does not answer a read; the primary does. */

/** It lacks what the read has to see. */
export class ReplicaBehindError extends Error {
  override readonly name = 'ReplicaBehindError';

  constructor() {
    super('the replica is behind');
  }
}

/** It was lost while the read was running. */
export class ReplicaLostError extends Error {
  override readonly name = 'ReplicaLostError';

  constructor() {
    super('the replica was lost');
  }
}
