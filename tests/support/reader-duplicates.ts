import type { LikelySource } from '#core/likely/likely-record.rules.ts'
import { copyWithErrors } from './duplicates/copies.ts'
import { family, flatSharers, home, namesake, organisation, person, twinsAt } from './duplicates/readers.ts'
import { type SeededRandom, seededRandom } from './duplicates/seeded-random.ts'

/** One kind of error each, and `mixed`: a typical publisher's file. */
export const scenarios = [
  'typing',
  'missing',
  'swapped',
  'nicknames',
  'married',
  'moved',
  'name and address',
  'name and address, heavy',
  'families',
  'flats',
  'twins',
  'organisations',
  'one town',
  'mixed',
  'digital',
] as const
export type Scenario = (typeof scenarios)[number]

/** A reader with the number of its person or office: equal numbers are duplicates. */
export interface Labelled {
  source: LikelySource
  person: number
}

/**
 * Readers with their duplicates, for the given number of persons: about 30% of them occur twice or more, of families, twins and flats 20%.
 * The same seed gives the same readers; other seeds give other people, streets and errors.
 */
export function labelledReaders(scenario: Scenario, persons: number, seed: number): Labelled[] {
  const rolls = seededRandom(seed * 7919 + scenario.length * 31 + scenarios.indexOf(scenario))
  const readers: Labelled[] = []
  let number = 0
  const streets = Array.from({ length: 12 + persons / 50 }, () => home(rolls))
  while (number < persons) {
    const newcomers = originals(scenario, rolls)
    // Readers of the digital edition have no address.
    if (scenario === 'digital') for (const newcomer of newcomers) Object.assign(newcomer, screenOnly(newcomer, rolls))
    if (scenario === 'one town') moveToOneTown(newcomers, streets, rolls)
    for (const source of newcomers) {
      const personNumber = number++
      readers.push({ source, person: personNumber })
      if (!rolls.chance(shareOfDuplicates(scenario))) continue
      const copies = rolls.chance(0.12) ? (rolls.chance(0.3) ? 3 : 2) : 1
      for (let copy = 0; copy < copies; copy++) {
        readers.push({ source: copyWithErrors(source, scenario, rolls), person: personNumber })
      }
    }
  }
  shuffle(readers, rolls)
  readers.forEach(({ source }, index) => {
    source.id = index + 1
  })
  return readers
}

function shareOfDuplicates(scenario: Scenario): number {
  return scenario === 'families' || scenario === 'twins' || scenario === 'flats' ? 0.2 : 0.32
}

function originals(scenario: Scenario, rolls: SeededRandom): LikelySource[] {
  const isBare = scenario.startsWith('name and address')
  if (scenario === 'organisations') return organisation(rolls)
  if (scenario === 'families') return rolls.chance(0.7) ? family(rolls, false) : [person(rolls, false)]
  if (scenario === 'twins') return rolls.chance(0.5) ? twinsAt(rolls) : [person(rolls, false)]
  if (scenario === 'flats')
    return Array.from({ length: 1 + rolls.roll(5) }).reduce<LikelySource[]>((house) => {
      const next = person(rolls, false)
      const [first] = house
      if (first) Object.assign(next, sameHouse(first, house.length + 1))
      else next.addressOne = `Flat 1, ${next.addressOne}`
      return [...house, next]
    }, [])
  if (scenario === 'mixed' || scenario === 'one town') {
    if (rolls.chance(0.12)) return organisation(rolls)
    if (rolls.chance(0.15)) return family(rolls, false)
    if (rolls.chance(0.02)) return twinsAt(rolls)
  }
  if (rolls.chance(0.05)) return flatSharers(rolls, isBare)
  if (rolls.chance(0.05)) {
    const reader = person(rolls, isBare)
    return [reader, namesake(reader, rolls)]
  }
  // Wherever people live together, some are a family.
  return rolls.chance(0.1) ? family(rolls, isBare) : [person(rolls, isBare)]
}

/** A local paper's readers: few streets, so that strangers are neighbours and share half of their addresses. Households stay together. */
function moveToOneTown(
  newcomers: LikelySource[],
  streets: ReturnType<typeof home>[],
  { pick, roll }: SeededRandom,
): void {
  const moved = new Map<string, Partial<LikelySource>>()
  for (const newcomer of newcomers) {
    const before = newcomer.addressOne + newcomer.postCode
    const { addressOne, postCode } = pick(streets)
    const street = addressOne.replace(/\d+/, String(1 + roll(90)))
    const address = moved.get(before) ?? { addressOne: street, postCode: postCode.replace(/^[A-Z]+/, 'PL') }
    moved.set(before, address)
    Object.assign(newcomer, address, { addressTwo: '', city: 'Fowey' })
  }
}

function screenOnly({ email, telephone, city }: LikelySource, { chance }: SeededRandom): Partial<LikelySource> {
  const contact = { email, telephone: chance(0.5) ? '' : telephone, city: chance(0.7) ? city : '' }
  return { addressOne: '', addressTwo: '', addressThree: '', addressFour: '', postCode: '', ...contact }
}

function sameHouse(first: LikelySource, flat: number): Partial<LikelySource> {
  const { addressOne, addressTwo, addressThree, city, postCode } = first
  return { addressOne: addressOne.replace('Flat 1', `Flat ${flat}`), addressTwo, addressThree, city, postCode }
}

function shuffle<T>(list: T[], { roll }: SeededRandom): void {
  for (let index = list.length - 1; index > 0; index--) {
    const other = roll(index + 1)
    ;[list[index], list[other]] = [list[other] as T, list[index] as T]
  }
}
