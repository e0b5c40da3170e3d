/** The trades of the demo's organizations, and what kinds of devices each trade runs. */
import type { DeviceRole } from '#domain/device/device.ts';

/** What an organization does for a living. */
export type Trade =
  | 'logistics'
  | 'manufacturing'
  | 'education'
  | 'healthcare'
  | 'construction'
  | 'dentistry'
  | 'hospitality'
  | 'law'
  | 'utility'
  | 'architecture'
  | 'retail'
  | 'brewing';

/** How many devices of a role there are, relative to the other roles. */
export type RoleMix = Readonly<Record<DeviceRole, number>>;

const OFFICE: RoleMix = {
  workstation: 66,
  server: 9,
  printer: 5,
  router: 1,
  switch: 5,
  firewall: 1.5,
  access_point: 4,
  phone: 3,
  iot: 1,
  camera: 1.5,
  nas: 1.2,
  unknown: 1.5,
};

/** By trade. */
export const ROLE_MIXES: Readonly<Record<Trade, RoleMix>> = {
  logistics: { ...OFFICE, workstation: 54, phone: 11, printer: 8, camera: 5, access_point: 6, iot: 2.5 },
  manufacturing: { ...OFFICE, workstation: 58, iot: 8, camera: 4, server: 10 },
  education: { ...OFFICE, workstation: 78, server: 4, phone: 0.5, access_point: 7 },
  healthcare: { ...OFFICE, workstation: 62, iot: 5, phone: 5, server: 10 },
  construction: { ...OFFICE, workstation: 60, phone: 12, camera: 4, server: 5 },
  dentistry: { ...OFFICE, iot: 4, server: 7 },
  hospitality: { ...OFFICE, workstation: 45, access_point: 14, phone: 8, iot: 6, camera: 7, printer: 7 },
  law: { ...OFFICE, workstation: 74, printer: 8, iot: 0.5, camera: 0.5 },
  utility: { ...OFFICE, workstation: 52, server: 13, iot: 7, router: 4, camera: 5 },
  architecture: { ...OFFICE, workstation: 70, nas: 4, server: 4, printer: 6 },
  retail: { ...OFFICE, workstation: 56, camera: 9, printer: 9, phone: 5, server: 4 },
  brewing: { ...OFFICE, workstation: 48, iot: 12, camera: 6, nas: 4 },
};
