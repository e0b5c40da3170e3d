/** The people of the demo, all invented: who was last signed in, and whose laptop it is. */
import type { SeededRandom } from '#adapters/demo/seeded-random.ts';

/** A user of a device. */
export interface Person {
  readonly name: string;
  /** Lower-case ASCII: the first letter of the given name and the family name. */
  readonly login: string;
}

/** A random person. */
export function drawPerson(random: SeededRandom): Person {
  const given = random.pick(GIVEN_NAMES);
  const family = random.pick(FAMILY_NAMES);
  return { name: `${given} ${family}`, login: plain(given).slice(0, 1) + plain(family) };
}

const GIVEN_NAMES = [
  ...['Aisha', 'Aleksander', 'Amelie', 'Anouk', 'Ayşe', 'Bartosz', 'Beatrix', 'Callum', 'Carmen', 'Çağla'],
  ...['Daan', 'Dilan', 'Edith', 'Emre', 'Fatma', 'Femke', 'Florian', 'Freya', 'Gareth', 'Grażyna', 'Hanna'],
  ...['Harriet', 'Hugo', 'Imogen', 'Jana', 'Jonas', 'Kofi', 'Lars', 'Leonie', 'Lotte', 'Łukasz', 'Maeve'],
  ...['Małgorzata', 'Matthijs', 'Mehmet', 'Mirjam', 'Nadia', 'Nils', 'Oluwaseun', 'Ottilie', 'Pieter'],
  ...['Priya', 'Ravi', 'Regula', 'Rhys', 'Rosalind', 'Sanne', 'Selin', 'Sören', 'Tamsin', 'Tobias', 'Urs'],
  ...['Vivienne', 'Wanda', 'Wiebke', 'Yasmin', 'Yusuf', 'Zeynep', 'Zoë', 'Zofia'],
];

const FAMILY_NAMES = [
  ...[
    'Abara',
    'Aksoy',
    'Ashdown',
    'Baumgartner',
    'Beekman',
    'Birchall',
    'Bösch',
    'Brankley',
    'Çelik',
    'Clegg',
  ],
  ...['Dąbrowska', 'Demir', 'Dijkstra', 'Dunmore', 'Egli', 'Ekström', 'Fairweather', 'Fässler', 'Gerritsen'],
  ...['Gül', 'Haugland', 'Hollis', 'Huber', 'Iversen', 'Jagiełło', 'Kaya', 'Keller', 'Kowalczyk', 'Krüger'],
  ...['Lachowicz', 'Lindgren', 'Lovelock', 'Mehta', 'Meier', 'Moorcroft', 'Müller', 'Nowak', 'Nyström'],
  ...[
    'Obi',
    "O'Brien",
    'Ødegaard',
    'Okafor',
    'Öztürk',
    'Patel',
    'Penhaligon',
    'Pereira',
    'Quist',
    'Ramsbottom',
  ],
  ...['Rijnders', 'Şahin', 'Schäfer', 'Sharma', 'Stokes', 'Strauß', 'Szymańska', 'Thistlewood', 'Thorne'],
  ...['Tremblay', 'van Dam', 'van der Meer', 'Vogt', 'Wakefield', 'Whitlock', 'Wójcik', 'Yıldız', 'Zimmerli'],
];

/** Letters that no decomposition turns into ASCII. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', ß: 'ss', ı: 'i' };

function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/[łøßı]/g, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .normalize('NFD')
    .replace(/[^a-z]/g, '');
}
