/** Desktops and laptops that run Linux. */
import type { OsFamily } from '#adapters/demo/catalogue/software/os-releases.ts';
import type { Weighted } from '#adapters/demo/seeded-random.ts';
import type { ComputerModel } from './computer-model.ts';

const RUNS: Weighted<OsFamily> = [['linux-desktop', 1]];

/** All of them run any distribution. */
export const LINUX_MODELS: readonly ComputerModel[] = [
  {
    manufacturer: 'Framework',
    model: 'Laptop 13 (AMD Ryzen 7040Series)',
    serialPattern: 'FRAN##CP########',
    architecture: 'x64',
    isPortable: true,
    cpus: [['AMD Ryzen 7 7840U w/ Radeon 780M Graphics', 8]],
    gpus: ['AMD Radeon 780M Graphics'],
    ramGb: [32, 64],
    diskGb: [931],
    runs: RUNS,
    weight: 2,
  },
  {
    manufacturer: 'Dell Inc.',
    model: 'XPS 13 9310',
    serialPattern: '*******',
    architecture: 'x64',
    isPortable: true,
    cpus: [['11th Gen Intel(R) Core(TM) i7-1165G7 @ 2.80GHz', 4]],
    gpus: ['Intel TigerLake-LP GT2 [Iris Xe Graphics]'],
    ramGb: [16],
    diskGb: [476],
    runs: RUNS,
    weight: 4,
  },
  {
    manufacturer: 'LENOVO',
    model: 'ThinkStation P360',
    serialPattern: 'MJ0@@###',
    architecture: 'x64',
    isPortable: false,
    cpus: [['12th Gen Intel(R) Core(TM) i7-12700', 12]],
    gpus: ['NVIDIA T1000 8GB'],
    ramGb: [32, 64],
    diskGb: [953],
    runs: RUNS,
    weight: 3,
  },
  {
    manufacturer: 'Intel Corporation',
    model: 'NUC11TNHi5',
    serialPattern: 'G6TN########',
    architecture: 'x64',
    isPortable: false,
    cpus: [['11th Gen Intel(R) Core(TM) i5-1135G7 @ 2.40GHz', 4]],
    gpus: ['Intel TigerLake-LP GT2 [Iris Xe Graphics]'],
    ramGb: [8, 16],
    diskGb: [238],
    runs: RUNS,
    weight: 4,
  },
];
