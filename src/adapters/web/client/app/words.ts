/**
 * The words of the console, in English, by area. Another language is another object of the same shape. Whatever
 * depends on a number or a name is a function.
 */

import { administrationWords } from './words/administration.ts';
import { hostPageWords } from './words/host-pages.ts';
import { listWords } from './words/lists.ts';
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
  shell: shellWords,
  signIn: signInWords,
};
