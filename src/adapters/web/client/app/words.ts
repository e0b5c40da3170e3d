/**
 * The words of the console, in English, by area. Another language is another object of the same shape. Whatever
 * depends on a number or a name is a function.
 */
import { devicePageWords } from './words/device-page.ts';
import { deviceWords } from './words/devices.ts';
import { sharedWords } from './words/shared.ts';
import { shellWords } from './words/shell.ts';
import { signInWords } from './words/sign-in.ts';

export const words = {
  ...sharedWords,
  devicePage: devicePageWords,
  devices: deviceWords,
  shell: shellWords,
  signIn: signInWords,
};
