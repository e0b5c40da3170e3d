/** What a computer is as far as software goes: each platform has a catalogue of its own. */
export type SoftwarePlatform =
  | 'windows'
  | 'windows-kiosk'
  | 'windows-server'
  | 'macos'
  | 'linux-desktop'
  | 'linux-server';
