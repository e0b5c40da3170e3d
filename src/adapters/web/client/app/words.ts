/**
 * The words of the console, in English, by area. Another language is another object of the same shape. Whatever
 * depends on a number or a name is a function.
 */

import { filterWords } from './words/filters.ts';
import { sharedWords } from './words/shared.ts';
import { shellWords } from './words/shell.ts';
import { signInWords } from './words/sign-in.ts';

export const words = {
  ...sharedWords,
  filters: filterWords,
  shell: shellWords,
  signIn: signInWords,
};
