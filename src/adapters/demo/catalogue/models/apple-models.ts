/** Macs. */
import type { OsFamily } from '#adapters/demo/catalogue/software/os-releases.ts';
import type { Weighted } from '#adapters/demo/seeded-random.ts';
import type { ComputerModel } from './computer-model.ts';

const CURRENT: Weighted<OsFamily> = [['macos-current', 1]];
/** Intel models that the newest releases no longer support. */
const OUTDATED: Weighted<OsFamily> = [['macos-old', 1]];

type Unit = Pick<ComputerModel, 'model' | 'cpus' | 'gpus' | 'ramGb' | 'diskGb' | 'weight' | 'isPortable'>;

/** Those on Apple silicon, then those with Intel processors. */
export const APPLE_MODELS: readonly ComputerModel[] = [
  appleSilicon({
    model: 'MacBook Air (M2, 2022)',
    cpus: [['Apple M2', 8]],
    gpus: ['Apple M2'],
    ramGb: [8, 16],
    diskGb: [228, 460],
    weight: 7,
    isPortable: true,
  }),
  appleSilicon({
    model: 'MacBook Air (13-inch, M3, 2024)',
    cpus: [['Apple M3', 8]],
    gpus: ['Apple M3'],
    ramGb: [8, 16, 24],
    diskGb: [228, 460],
    weight: 5,
    isPortable: true,
  }),
  appleSilicon({
    model: 'MacBook Pro (14-inch, Nov 2023)',
    cpus: [
      ['Apple M3 Pro', 11],
      ['Apple M3 Max', 14],
    ],
    gpus: ['Apple M3 Pro'],
    ramGb: [18, 36],
    diskGb: [460, 926],
    weight: 6,
    isPortable: true,
  }),
  appleSilicon({
    model: 'iMac (24-inch, M1, 2021)',
    cpus: [['Apple M1', 8]],
    gpus: ['Apple M1'],
    ramGb: [8, 16],
    diskGb: [228, 460],
    weight: 5,
    isPortable: false,
  }),
  appleSilicon({
    model: 'Mac Studio (2023)',
    cpus: [
      ['Apple M2 Max', 12],
      ['Apple M2 Ultra', 24],
    ],
    gpus: ['Apple M2 Max'],
    ramGb: [32, 64],
    diskGb: [460, 926],
    weight: 3,
    isPortable: false,
  }),
  appleSilicon({
    model: 'Mac mini (2023)',
    cpus: [['Apple M2', 8]],
    gpus: ['Apple M2'],
    ramGb: [8, 16],
    diskGb: [228],
    weight: 2,
    isPortable: false,
  }),
  appleIntel({
    model: 'MacBook Pro (16-inch, 2019)',
    cpus: [['Intel(R) Core(TM) i7-9750H CPU @ 2.60GHz', 6]],
    gpus: ['AMD Radeon Pro 5300M'],
    ramGb: [16],
    diskGb: [466],
    weight: 3,
    isPortable: true,
  }),
  appleIntel({
    model: 'iMac (Retina 5K, 27-inch, 2017)',
    cpus: [['Intel(R) Core(TM) i5-7600K CPU @ 3.80GHz', 4]],
    gpus: ['AMD Radeon Pro 580'],
    ramGb: [8, 16],
    diskGb: [931],
    weight: 2,
    isPortable: false,
  }),
];

function appleSilicon(unit: Unit): ComputerModel {
  return {
    manufacturer: 'Apple Inc.',
    serialPattern: '**********',
    architecture: 'arm64',
    runs: CURRENT,
    ...unit,
  };
}

function appleIntel(unit: Unit): ComputerModel {
  return {
    manufacturer: 'Apple Inc.',
    serialPattern: 'C02********',
    architecture: 'x64',
    runs: OUTDATED,
    ...unit,
  };
}
