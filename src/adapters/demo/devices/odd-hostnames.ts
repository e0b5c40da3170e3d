/**
 * Names that people really give to devices and that break careless software: wildcards of LIKE, backslashes and
 * quotes, letters whose case folding is not ASCII's, characters beyond the basic plane, one name in two cases
 * and one name in several organizations.
 */

/** A name, and the site of its device. */
export interface OddHostname {
  readonly hostname: string;
  /** The key of the device's site. */
  readonly site: string;
}

/** By organization key: the names of the organization's first workstations, in their order. */
export const ODD_HOSTNAMES: Readonly<Record<string, readonly OddHostname[]>> = {
  varhaug: [
    ...at('lodz', 'Łódź-Magazyn-01', 'łódź-magazyn-02'),
    ...at('istanbul', 'İstanbul-Depo-3', 'istanbul-depo-4'),
    ...at('rotterdam', '100%-test', 'a_b', 'aXb', 'C:\\Temp-VM', 'localhost', 'Rotterdam kantoor 7'),
  ],
  pellworth: [
    ...at('machining', 'CNC 4 (do not reboot!)'),
    ...at('head-office', "O'Hara-Laptop", 'localhost', '50%_OFF'),
  ],
  greywater: at('sixth-form', 'Sixth"Form"Show', 'MUSIC-ROOM', 'music-room', 'localhost'),
  seerain: at('zurich', 'Zürich-Empfang-1', 'ZÜRICH-EMPFANG-2', 'Röntgen\\Süd', 'a_b'),
  marrowby: at('yard', 'cabin;drop table', '<script>cabin2</script>'),
  lindqvist: at('koeln', 'Straße-Plotter', 'STRASSE-PLOTTER', 'Ærø', 'Δ-Modell'),
  feldhaus: at('markt', 'Kühltheke-№2', '100%-test'),
  'little-fathom': at('brewery', '🍺-taproom', 'ﬁ-fermenter'),
};

function at(site: string, ...hostnames: readonly string[]): readonly OddHostname[] {
  return hostnames.map((hostname) => ({ hostname, site }));
}
