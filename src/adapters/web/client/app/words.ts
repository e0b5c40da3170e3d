/**
 * The words of the console, in English, by area. Another language is another object of the same shape. Whatever
 * depends on a number or a name is a function.
 */

import { administrationWords } from './words/administration.ts';
import { dashboardWords } from './words/dashboard.ts';
import { devicePageWords } from './words/device-page.ts';
import { deviceWords } from './words/devices.ts';
import { filterWords } from './words/filters.ts';
import { helpWords } from './words/help.ts';
import { hostPageWords } from './words/host-pages.ts';
import { keysWords } from './words/keys.ts';
import { listWords } from './words/lists.ts';
import { paletteWords } from './words/palette.ts';
import { settingsWords } from './words/settings.ts';
import { sharedWords } from './words/shared.ts';
import { shellWords } from './words/shell.ts';
import { signInWords } from './words/sign-in.ts';

export const words = {
  ...sharedWords,
  administration: administrationWords,
  hostPages: hostPageWords,
  lists: listWords,
  settings: settingsWords,
  dashboard: dashboardWords,
  help: helpWords,
  keys: keysWords,
  palette: paletteWords,
  devicePage: devicePageWords,
  devices: deviceWords,
  filters: filterWords,
  shell: shellWords,
  signIn: signInWords,
};
