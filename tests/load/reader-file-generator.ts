import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readerFileHeader } from '#core/reader-files/reader.columns.ts'

const firstNames =
  'Amelia Oliver Zoë George Maeve Søren Priya José Ewa Hamish Niamh Chloe Mohammed Freya Callum Ines Luca Aoife Bram Hanna'.split(
    ' ',
  )
const lastNames =
  'Smith Jones O’Brien Taylor Müller Williams Brown Ångström García Patel Evans Novák Wilson Dubois MacLeod Singh Walker Hughes Rossi Green Day Kowalska'.split(
    ' ',
  )
const streets =
  'High Street,Station Road,Church Lane,Mill Lane,Victoria Road,Green Lane,Manor Road,Park Avenue,Queen’s Road,The Crescent'.split(
    ',',
  )
const towns = [
  'Fowey',
  'Leeds',
  'Ely',
  'Kirkwall',
  'Cardiff',
  'Omagh',
  'Great Yarmouth',
  'Bath',
  'Stoke-on-Trent',
  'Hay-on-Wye',
]
const areas = ['PL', 'LS', 'CB', 'KW', 'CF', 'BT', 'NR', 'BA', 'ST', 'HR', 'SW', 'B', 'M', 'G']
const foreignPlaces = [
  ['FR', '75011', 'Paris'],
  ['DE', '10115', 'Berlin'],
  ['US', '02139', 'Cambridge'],
  ['NO', '0150', 'Oslo'],
  ['IE', 'D02 X285', 'Dublin'],
  ['AU', '3000', 'Melbourne'],
] as const
const companies = ['Harbour Trust Ltd', 'Fenland Nurseries', 'Quay & Sons', 'Bright Papers plc', 'The Reading Room']

/** A small random number generator that gives the same sequence on every machine. */
function seededRandom(seed: number): (sides: number) => number {
  let state = seed >>> 0
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

const twoDigits = (n: number) => String(n).padStart(2, '0')
const csvCell = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/**
 * The lines of a realistic reader file: 42 columns, about 283 bytes a row, 4% of the rows invalid (an impossible date, an
 * invalid email, an unknown country, a repeated reference), 3% a repeat of the previous person under another reference.
 * References are numbered from `first`, so files with overlapping ranges share readers.
 */
export function* readerLines(rows: number, seed = 1, first = 0): Generator<string> {
  const roll = seededRandom(seed)
  const pick = <T>(list: readonly T[]): T => list[roll(list.length)] as T
  let previous: string[] = []
  yield `${readerFileHeader}\n`
  for (let n = 0; n < rows; n++) {
    const kind = roll(100)
    const isDuplicate = kind >= 4 && kind < 7 && previous.length > 0
    const cells = isDuplicate ? [...previous] : person(n, roll, pick)
    cells[1] = `HL${String(first + n).padStart(7, '0')}`
    if (!isDuplicate) previous = [...cells]
    if (kind === 0) cells[29] = '31/02/2026'
    else if (kind === 1) cells[6] = 'no address at all'
    else if (kind === 2) cells[16] = 'Atlantis'
    else if (kind === 3 && n > 0) cells[1] = `HL${String(first + n - 1 - roll(Math.min(n, 5))).padStart(7, '0')}`
    yield `${cells.map(csvCell).join(',')}\n`
  }
}

function person(n: number, roll: (sides: number) => number, pick: <T>(list: readonly T[]) => T): string[] {
  const first = pick(firstNames)
  const last = pick(lastNames)
  const title = pick(['Mr', 'Mrs', 'Ms', 'Dr', ''])
  const foreign = roll(12) === 0 ? pick(foreignPlaces) : undefined
  const start = 2019 + roll(7)
  const month = twoDigits(1 + roll(12))
  const date = twoDigits(1 + roll(28))
  const flag = () => pick(['TRUE', 'FALSE', ''])
  const type = pick(['print', 'print', 'print', 'digital', 'bundle'])
  const postCode = roll(40) === 0 ? '' : `${pick(areas)}${1 + roll(20)} ${roll(10)}${pick(['AA', 'QT', 'HB', 'XZ'])}`
  return [
    '',
    '',
    title,
    first,
    last,
    roll(30) === 0 ? '' : [title, first, last].filter(Boolean).join(' '),
    roll(3) === 0
      ? ''
      : `${first}.${last}${n}@example.org`
          .normalize('NFD')
          .replaceAll(/[^a-zA-Z0-9.@]/g, '')
          .toLowerCase(),
    roll(6) === 0 ? 'Head gardener' : '',
    roll(6) === 0 ? pick(companies) : '',
    roll(8) === 0 ? `Flat ${1 + roll(9)}, ${1 + roll(200)} ${pick(streets)}` : `${1 + roll(200)} ${pick(streets)}`,
    roll(3) === 0 ? 'Old Quarter' : '',
    '',
    '',
    foreign ? foreign[2] : pick(towns),
    roll(4) === 0 ? 'Norfolk' : '',
    foreign ? foreign[1] : postCode,
    foreign ? foreign[0] : pick(['GB', 'United Kingdom', '', 'England']),
    `0${1200 + roll(700)} ${100_000 + roll(899_999)}`,
    '',
    roll(3) === 0 ? 'https://www.example.org/people' : '',
    pick(['Subscriber', 'Trade', 'Gift']),
    flag(),
    flag(),
    flag(),
    flag(),
    flag(),
    flag(),
    flag(),
    flag(),
    `${date}/${month}/${start}`,
    `${date}/${month}/${start + 1 + roll(3)}`,
    '',
    type,
    roll(10) === 0 ? '' : `${10 + roll(40)}.${twoDigits(roll(100))}`,
    roll(2) === 0 ? 'Rang about the spring issue, sent again; moved house' : '',
    pick(['Web', 'Show', 'Insert', 'Friend']),
    pick(['Spring campaign', '']),
    pick(['Yes', 'No', '']),
    '',
    roll(2) === 0 ? 'Roses and old apple trees' : '',
    '',
    '',
  ]
}

/** Writes a reader file to disk, with only one chunk in memory at a time. */
export async function writeReaderFile(path: string, rows: number, seed = 1, first = 0): Promise<void> {
  const out = createWriteStream(path)
  let chunk = ''
  for (const line of readerLines(rows, seed, first)) {
    chunk += line
    if (chunk.length > 256_000) {
      if (!out.write(chunk)) await once(out, 'drain')
      chunk = ''
    }
  }
  out.end(chunk)
  await once(out, 'finish')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [path = '', rows = '100000'] = process.argv.slice(2)
  await writeReaderFile(path, Number(rows))
}
