/** The demo's partners, both invented: providers who look after the devices of others. */

/** Names a partner within the demo. */
export type PartnerKey = 'kestrel-lane' | 'blaubach';

/** A service provider. */
export interface PartnerProfile {
  readonly key: PartnerKey;
  readonly name: string;
}

/** The larger partner first. */
export const PARTNERS: readonly PartnerProfile[] = [
  { key: 'kestrel-lane', name: 'Kestrel Lane Managed IT' },
  { key: 'blaubach', name: 'Blaubach Systemhaus' },
];
