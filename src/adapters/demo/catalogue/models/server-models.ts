/** Servers in racks and cupboards, and virtual ones. */
import type { OsFamily } from '#adapters/demo/catalogue/software/os-releases.ts';
import type { Weighted } from '#adapters/demo/seeded-random.ts';
import type { ComputerModel } from './computer-model.ts';

const MIXED: Weighted<OsFamily> = [
  ['windows-server', 60],
  ['windows-server-old', 4],
  ['linux-server', 36],
];
const AGED: Weighted<OsFamily> = [
  ['windows-server-old', 60],
  ['windows-server', 25],
  ['linux-server', 15],
];

type Unit = Pick<ComputerModel, 'cpus' | 'gpus' | 'ramGb' | 'diskGb'>;

const VIRTUAL_SIZES = { ramGb: [4, 8, 8, 16, 32], diskGb: [40, 80, 120, 200, 500] };

/** Physical ones by maker, then virtual ones, then small and odd ones. */
export const SERVER_MODELS: readonly ComputerModel[] = [
  server('Dell Inc.', 'PowerEdge R650', '*******', 6, MIXED, {
    cpus: [['Intel(R) Xeon(R) Silver 4314 CPU @ 2.40GHz', 16]],
    gpus: ['Matrox G200eW3'],
    ramGb: [64, 128, 256],
    diskGb: [893, 1787, 3575],
  }),
  server('Dell Inc.', 'PowerEdge T340', '*******', 4, MIXED, {
    cpus: [['Intel(R) Xeon(R) E-2224 CPU @ 3.40GHz', 4]],
    gpus: ['Matrox G200eW3'],
    ramGb: [16, 32],
    diskGb: [931, 1863],
  }),
  server('Dell Inc.', 'PowerEdge R520', '*******', 3, AGED, {
    cpus: [['Intel(R) Xeon(R) CPU E5-2420 0 @ 1.90GHz', 6]],
    gpus: ['Matrox G200eR2'],
    ramGb: [16, 32],
    diskGb: [558, 1117],
  }),
  server('HPE', 'ProLiant DL380 Gen10', 'CZ########', 6, MIXED, {
    cpus: [
      ['Intel(R) Xeon(R) Gold 5218 CPU @ 2.30GHz', 16],
      ['Intel(R) Xeon(R) Silver 4210 CPU @ 2.20GHz', 10],
    ],
    gpus: ['Matrox G200eH3'],
    ramGb: [64, 128, 192],
    diskGb: [893, 2235],
  }),
  server('HPE', 'ProLiant MicroServer Gen10 Plus', 'CZ########', 3, MIXED, {
    cpus: [['Intel(R) Xeon(R) E-2224 CPU @ 3.40GHz', 4]],
    gpus: [null],
    ramGb: [16, 32],
    diskGb: [931, 3726],
  }),
  server('Lenovo', 'ThinkSystem SR650 V2', 'J10#@@##', 3, MIXED, {
    cpus: [['Intel(R) Xeon(R) Gold 6326 CPU @ 2.90GHz', 32]],
    gpus: ['ASPEED Graphics Family'],
    ramGb: [128, 256],
    diskGb: [1787, 7450],
  }),
  server('Supermicro', 'SYS-5019D-FN8TP', 'E#########', 2, [['linux-server', 1]], {
    cpus: [['Intel(R) Xeon(R) D-2146NT CPU @ 2.30GHz', 8]],
    gpus: ['ASPEED Graphics Family'],
    ramGb: [32, 64],
    diskGb: [476, 953],
  }),
  server('VMware, Inc.', 'VMware7,1', 'VMware-42 1# 3# 5# ## 0# 6# 7#-## 1# 2# 3# 4# 5# 6# 7#', 20, MIXED, {
    cpus: [
      ['Intel(R) Xeon(R) Gold 5218 CPU @ 2.30GHz', 2],
      ['Intel(R) Xeon(R) Gold 5218 CPU @ 2.30GHz', 4],
      ['Intel(R) Xeon(R) Silver 4314 CPU @ 2.40GHz', 8],
    ],
    gpus: ['VMware SVGA 3D'],
    ...VIRTUAL_SIZES,
  }),
  server('Microsoft Corporation', 'Virtual Machine', '####-####-####-####-####-####-##', 12, MIXED, {
    cpus: [
      ['Intel(R) Xeon(R) Silver 4314 CPU @ 2.40GHz', 2],
      ['AMD EPYC 7443P 24-Core Processor', 4],
    ],
    gpus: ['Microsoft Hyper-V Video'],
    ...VIRTUAL_SIZES,
  }),
  {
    ...server('QEMU', 'Standard PC (Q35 + ICH9, 2009)', '', 8, [['linux-server', 1]], {
      cpus: [
        ['QEMU Virtual CPU version 2.5+', 2],
        ['AMD EPYC 7443P 24-Core Processor', 4],
      ],
      gpus: ['Virtio 1.0 GPU', null],
      ...VIRTUAL_SIZES,
    }),
    serialPattern: null,
  },
  {
    ...server('HPE', 'ProLiant RL300 Gen11', 'CZ########', 1, [['linux-server-arm', 1]], {
      cpus: [['Ampere(R) Altra(R) Processor', 80]],
      gpus: ['ASPEED Graphics Family'],
      ramGb: [256],
      diskGb: [3575],
    }),
    architecture: 'arm64',
  },
  {
    ...server(
      'Raspberry Pi Foundation',
      'Raspberry Pi 4 Model B Rev 1.5',
      '10000000********',
      2,
      [['linux-raspberry', 1]],
      {
        cpus: [['Cortex-A72', 4]],
        gpus: [null],
        ramGb: [4, 8],
        diskGb: [29, 59],
      },
    ),
    architecture: 'arm64',
  },
];

function server(
  manufacturer: string,
  model: string,
  serialPattern: string,
  weight: number,
  runs: Weighted<OsFamily>,
  unit: Unit,
): ComputerModel {
  return {
    manufacturer,
    model,
    serialPattern,
    architecture: 'x64',
    isPortable: false,
    weight,
    runs,
    ...unit,
  };
}
