/** Any Node may load this file, so it must run on old versions. */
const OLDEST = [22, 17] as const;

const { node } = process.versions;
const [major = 0, minor = 0] = node.split('.').map(Number);

/** Why Fleetsift cannot run here; null if this Node is new enough. */
export const refusal: string | null =
  major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])
    ? null
    : `fleetsift needs Node ${OLDEST.join('.')} or newer, and this is ${node}; install a newer one`;
