/** Desktops and laptops that run Windows, a few of them Linux. */
import type { OsFamily } from '#adapters/demo/catalogue/software/os-releases.ts';
import type { Weighted } from '#adapters/demo/seeded-random.ts';
import type { ComputerModel } from './computer-model.ts';

const CURRENT: Weighted<OsFamily> = [
  ['windows-11', 93],
  ['windows-10', 7],
];
/** Old enough that Windows 11 refuses them. */
const OUTDATED: Weighted<OsFamily> = [['windows-10', 1]];
const IRIS = 'Intel(R) Iris(R) Xe Graphics';
const UHD = 'Intel(R) UHD Graphics 630';
const HD = 'Intel(R) HD Graphics 520';

type Fitting = Pick<ComputerModel, 'cpus' | 'gpus' | 'ramGb' | 'diskGb'>;

/** Laptops, then desktops. */
export const WINDOWS_MODELS: readonly ComputerModel[] = [
  laptop('Dell Inc.', 'Latitude 5440', '*******', 10, CURRENT, {
    cpus: [
      ['13th Gen Intel(R) Core(TM) i5-1345U', 10],
      ['13th Gen Intel(R) Core(TM) i7-1365U', 10],
    ],
    gpus: [IRIS],
    ramGb: [16, 16, 32],
    diskGb: [238, 476],
  }),
  laptop('Dell Inc.', 'Latitude 7420', '*******', 8, CURRENT, {
    cpus: [['11th Gen Intel(R) Core(TM) i7-1185G7', 4]],
    gpus: [IRIS],
    ramGb: [16],
    diskGb: [238, 476],
  }),
  laptop('Dell Inc.', 'Latitude E7270', '*******', 4, OUTDATED, {
    cpus: [['Intel(R) Core(TM) i5-6300U CPU @ 2.40GHz', 2]],
    gpus: [HD],
    ramGb: [8],
    diskGb: [119, 238],
  }),
  laptop('LENOVO', 'ThinkPad T14 Gen 3', 'PF@#@@##', 9, CURRENT, {
    cpus: [
      ['AMD Ryzen 5 PRO 6650U with Radeon Graphics', 6],
      ['AMD Ryzen 7 PRO 6850U with Radeon Graphics', 8],
    ],
    gpus: ['AMD Radeon(TM) Graphics'],
    ramGb: [16, 32],
    diskGb: [476],
  }),
  laptop('LENOVO', 'ThinkPad X1 Carbon Gen 11', 'PF@@#@##', 4, CURRENT, {
    cpus: [['13th Gen Intel(R) Core(TM) i7-1355U', 10]],
    gpus: [IRIS],
    ramGb: [16, 32],
    diskGb: [476, 953],
  }),
  laptop('LENOVO', 'ThinkPad T470', 'PC@###@#', 4, OUTDATED, {
    cpus: [['Intel(R) Core(TM) i5-7300U CPU @ 2.60GHz', 2]],
    gpus: ['Intel(R) HD Graphics 620'],
    ramGb: [8, 16],
    diskGb: [238],
  }),
  laptop('HP', 'HP EliteBook 840 G8', '5CG####@@@', 7, CURRENT, {
    cpus: [['11th Gen Intel(R) Core(TM) i5-1145G7', 4]],
    gpus: [IRIS],
    ramGb: [8, 16],
    diskGb: [238, 476],
  }),
  laptop('HP', 'HP EliteBook 845 G10', '5CG####@@@', 5, CURRENT, {
    cpus: [['AMD Ryzen 7 PRO 7840U w/ Radeon 780M Graphics', 8]],
    gpus: ['AMD Radeon 780M Graphics'],
    ramGb: [16, 32],
    diskGb: [476, 953],
  }),
  laptop('Microsoft Corporation', 'Surface Laptop 5', '0F#####@#####', 2, CURRENT, {
    cpus: [['12th Gen Intel(R) Core(TM) i5-1245U', 10]],
    gpus: [IRIS],
    ramGb: [8, 16],
    diskGb: [238],
  }),
  {
    ...laptop('Microsoft Corporation', 'Surface Pro 11th Edition', '0F#####@#####', 2, [['windows-11', 1]], {
      cpus: [['Snapdragon(R) X Plus X1P64100', 10]],
      gpus: ['Qualcomm(R) Adreno(TM) X1-85 GPU'],
      ramGb: [16],
      diskGb: [238, 476],
    }),
    architecture: 'arm64',
  },
  laptop('Acer', 'TravelMate P214-53', 'NX########', 3, CURRENT, {
    cpus: [['11th Gen Intel(R) Core(TM) i3-1115G4', 2]],
    gpus: ['Intel(R) UHD Graphics'],
    ramGb: [4, 8],
    diskGb: [119, 238],
  }),
  laptop('Panasonic Corporation', 'TOUGHBOOK CF-33-4', '#@@@@#####', 1, CURRENT, {
    cpus: [['Intel(R) Core(TM) i5-10310U CPU @ 1.70GHz', 4]],
    gpus: ['Intel(R) UHD Graphics'],
    ramGb: [16],
    diskGb: [476],
  }),
  desktop('Dell Inc.', 'OptiPlex 7010', '*******', 9, CURRENT, {
    cpus: [['13th Gen Intel(R) Core(TM) i5-13500', 14]],
    gpus: ['Intel(R) UHD Graphics 770'],
    ramGb: [8, 16],
    diskGb: [238, 476],
  }),
  desktop('Dell Inc.', 'OptiPlex 7080', '*******', 6, CURRENT, {
    cpus: [['Intel(R) Core(TM) i7-10700 CPU @ 2.90GHz', 8]],
    gpus: [UHD],
    ramGb: [16],
    diskGb: [476],
  }),
  desktop('Dell Inc.', 'OptiPlex 3040', '*******', 4, OUTDATED, {
    cpus: [['Intel(R) Core(TM) i3-6100 CPU @ 3.70GHz', 2]],
    gpus: ['Intel(R) HD Graphics 530'],
    ramGb: [4, 8],
    diskGb: [119, 465],
  }),
  desktop('Dell Inc.', 'Precision 3660', '*******', 3, CURRENT, {
    cpus: [['12th Gen Intel(R) Core(TM) i9-12900K', 16]],
    gpus: ['NVIDIA RTX A2000 12GB', 'NVIDIA RTX A4000'],
    ramGb: [32, 64, 128],
    diskGb: [953, 1907],
  }),
  desktop('LENOVO', 'ThinkCentre M70q Gen 3', 'MJ0@@@##', 6, CURRENT, {
    cpus: [['12th Gen Intel(R) Core(TM) i5-12400T', 6]],
    gpus: ['Intel(R) UHD Graphics 730'],
    ramGb: [8, 16],
    diskGb: [238],
  }),
  desktop('LENOVO', 'ThinkCentre M910q', 'MJ0@#@@#', 4, OUTDATED, {
    cpus: [['Intel(R) Core(TM) i5-7500T CPU @ 2.70GHz', 4]],
    gpus: [UHD],
    ramGb: [8],
    diskGb: [238],
  }),
  desktop('HP', 'HP ProDesk 600 G6 Desktop Mini PC', '8CC####@@@', 5, CURRENT, {
    cpus: [['Intel(R) Core(TM) i5-10500T CPU @ 2.30GHz', 6]],
    gpus: [UHD],
    ramGb: [8, 16],
    diskGb: [238, 476],
  }),
  desktop('HP', 'HP EliteDesk 800 G3 SFF', 'CZC####@@@', 3, OUTDATED, {
    cpus: [['Intel(R) Core(TM) i5-7500 CPU @ 3.40GHz', 4]],
    gpus: [UHD],
    ramGb: [8, 16],
    diskGb: [238, 931],
  }),
  desktop('HP', 'HP Z2 Tower G9 Workstation', 'CZC####@@@', 2, CURRENT, {
    cpus: [['13th Gen Intel(R) Core(TM) i7-13700', 16]],
    gpus: ['NVIDIA T1000 8GB', 'NVIDIA RTX A2000'],
    ramGb: [32, 64],
    diskGb: [953],
  }),
  desktop('To Be Filled By O.E.M.', 'To Be Filled By O.E.M.', 'To Be Filled By O.E.M.', 1, CURRENT, {
    cpus: [['AMD Ryzen 5 5600X 6-Core Processor', 6]],
    gpus: ['NVIDIA GeForce RTX 3060', 'AMD Radeon RX 6600'],
    ramGb: [16, 32],
    diskGb: [931, 1863],
  }),
];

/** Tills, guest terminals and panels on the shop floor. */
export const KIOSK_MODELS: readonly ComputerModel[] = [
  desktop('HP', 'HP Engage One Pro', '8CC####@@@', 4, [['windows-kiosk', 1]], {
    cpus: [['Intel(R) Core(TM) i3-10100E CPU @ 3.20GHz', 4]],
    gpus: ['Intel(R) UHD Graphics 630'],
    ramGb: [8],
    diskGb: [119, 238],
  }),
  desktop('HP', 'HP t530 Thin Client', '8CC####@@@', 2, [['windows-kiosk', 1]], {
    cpus: [['AMD GX-215JJ SOC with Radeon(TM) R2E', 2]],
    gpus: ['AMD Radeon(TM) R2E Graphics'],
    ramGb: [4, 8],
    diskGb: [29, 59],
  }),
  {
    ...desktop('Advantech', 'UNO-2271G', 'KSA#######', 2, [['windows-10-32-bit', 1]], {
      cpus: [['Intel(R) Atom(TM) CPU E3815 @ 1.46GHz', 1]],
      gpus: [null, 'Intel(R) HD Graphics'],
      ramGb: [2, 4],
      diskGb: [29, 59],
    }),
    architecture: 'x86',
  },
];

function laptop(
  manufacturer: string,
  model: string,
  serialPattern: string,
  weight: number,
  runs: Weighted<OsFamily>,
  fitting: Fitting,
): ComputerModel {
  return {
    manufacturer,
    model,
    serialPattern,
    architecture: 'x64',
    isPortable: true,
    weight,
    runs,
    ...fitting,
  };
}

function desktop(...unit: Parameters<typeof laptop>): ComputerModel {
  return { ...laptop(...unit), isPortable: false };
}
