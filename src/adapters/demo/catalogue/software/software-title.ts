/** A title of the software catalogue. */

/** As an inventory names it, version numbers apart. */
export interface SoftwareTitle {
  readonly name: string;
  /** The part (0-1) of the devices of its platform and trade that have it. */
  readonly share: number;
  /** Newest first, at least one. */
  readonly versions: readonly string[];
}

/** A title with its versions, newest first. */
export function title(name: string, share: number, ...versions: readonly string[]): SoftwareTitle {
  return { name, share, versions };
}
