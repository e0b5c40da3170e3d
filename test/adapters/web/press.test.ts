/** Names of key presses on any layout (Contract: §14). */
import { expect, test } from 'vitest';
import { nameOfPress, type PressedKey } from '#console/keys/press.ts';

function press({
  modifiers = [],
  ...given
}: Partial<PressedKey> & { readonly modifiers?: readonly string[] }): PressedKey {
  return {
    key: '',
    code: '',
    altKey: false,
    ctrlKey: false,
    metaKey: false,
    shiftKey: false,
    repeat: false,
    isComposing: false,
    keyCode: 0,
    getModifierState: (name) => modifiers.includes(name),
    ...given,
  };
}

test.each([
  ['a letter', { key: 'g', code: 'KeyG' }, 'g'],
  ['with Caps Lock', { key: 'G', code: 'KeyG' }, 'g'],
  ['what AZERTY types, not its place', { key: 'a', code: 'KeyQ' }, 'a'],
  ['a Cyrillic letter by its place', { key: 'п', code: 'KeyG' }, 'g'],
  ['a Turkish letter by its place', { key: 'ı', code: 'KeyI' }, 'i'],
  ['an ASCII sign at the place of a letter, by what it is', { key: '/', code: 'KeyQ' }, '/'],
  ['a sign', { key: '?', code: 'Slash', shiftKey: true }, '?'],
  ['a sign elsewhere', { key: '/', code: 'Digit7', shiftKey: true }, '/'],
  ['a bracket by its place, where Cyrillic stands there', { key: 'х', code: 'BracketLeft' }, '['],
  ['a bracket with AltGr on Linux', { key: '[', code: 'Digit8', modifiers: ['AltGraph'] }, '['],
  [
    'a bracket with AltGr on Windows',
    { key: '[', code: 'Digit8', ctrlKey: true, altKey: true, modifiers: ['AltGraph'] },
    '[',
  ],
  ['a bracket with Ctrl and Alt for AltGr', { key: '[', code: 'Digit8', ctrlKey: true, altKey: true }, '['],
  ['a bracket with Option on a Mac', { key: '[', code: 'Digit5', altKey: true }, '['],
  ['Ctrl', { key: 'k', code: 'KeyK', ctrlKey: true }, 'mod+k'],
  ['Cmd', { key: 'k', code: 'KeyK', metaKey: true }, 'mod+k'],
  ['Ctrl and a Cyrillic letter', { key: 'л', code: 'KeyK', ctrlKey: true }, 'mod+k'],
  ['Ctrl and Shift', { key: 'H', code: 'KeyH', ctrlKey: true, shiftKey: true }, 'mod+shift+h'],
  ['Esc', { key: 'Escape', code: 'Escape' }, 'Escape'],
])('a press has a name: %s', (_, given, name) => {
  expect(nameOfPress(press(given))).toBe(name);
});

test.each([
  ['while an input method composes', { key: 'g', code: 'KeyG', isComposing: true }],
  ['while one composes that says it by the key code', { key: 'g', code: 'KeyG', keyCode: 229 }],
  ['on a repeat', { key: 'g', code: 'KeyG', repeat: true }],
  ['with Alt', { key: 'g', code: 'KeyG', altKey: true }],
  ['a sign with Alt that its layout does not need', { key: '[', code: 'BracketLeft', altKey: true }],
  ['a slash with Alt', { key: '/', code: 'Slash', altKey: true }],
  ['Ctrl and Alt', { key: 'k', code: 'KeyK', ctrlKey: true, altKey: true }],
  ['a key without a character', { key: 'F1', code: 'F1' }],
  ['a dead key', { key: 'Dead', code: 'BracketLeft' }],
  ['a modifier alone', { key: 'Shift', code: 'ShiftLeft', shiftKey: true }],
])('a press has no name: %s', (_, given) => {
  expect(nameOfPress(press(given))).toBeNull();
});
