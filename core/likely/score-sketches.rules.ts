import { likelyWeights } from './likely-weights.rules.ts'
import { bitsOf, sketch } from './pair-sketch.rules.ts'

const weight: Readonly<Record<string, number>> = likelyWeights
const weightOf = (name: string) => weight[name] ?? 0
// Read once: looking a weight up by name costs more than the rest of a comparison.
const start = weightOf('start')
const surpriseWeight = weightOf('surprise')
const commonness = weightOf('commonness')
const firstIs = {
  same: weightOf('first.same'), short: weightOf('first.short'), initial: weightOf('first.initial'), missing: weightOf('first.missing'), near: weightOf('first.near'),
  sound: weightOf('first.sound'), other: weightOf('first.other'), otherName: weightOf('first.otherName'),
} // biome-ignore format: a table
const lastIs = {
  same: weightOf('last.same'), near: weightOf('last.near'), sound: weightOf('last.sound'), missing: weightOf('last.missing'), other: weightOf('last.other'),
} // biome-ignore format: a table
const emailIs = {
  same: weightOf('email.same'), near: weightOf('email.near'), box: weightOf('email.box'), missing: weightOf('email.missing'), other: weightOf('email.other'),
} // biome-ignore format: a table
const phoneIs = { same: weightOf('phone.same'), missing: weightOf('phone.missing'), other: weightOf('phone.other') }
const numberIs = {
  same: weightOf('number.same'),
  none: weightOf('number.none'),
  one: weightOf('number.one'),
  other: weightOf('number.near'),
}
const streetIs = {
  same: weightOf('street.same'), near: weightOf('street.near'), part: weightOf('street.part'), missing: weightOf('street.missing'), other: weightOf('street.other'),
} // biome-ignore format: a table
const flatIs = {
  same: weightOf('flat.same'),
  none: weightOf('flat.none'),
  one: weightOf('flat.one'),
  other: weightOf('flat.other'),
}
const cityIs = { missing: weightOf('city.missing'), any: weightOf('city.same') }
// Used if the town is all that is known of the address. A town that sounds different may still be a near spelling.
const townIs = { same: weightOf('town.same'), other: weightOf('town.near') }
const postCodeIs = {
  same: weightOf('postCode.same'), near: weightOf('postCode.near'), missing: weightOf('postCode.missing'), other: weightOf('postCode.other'),
} // biome-ignore format: a table
const companyIs = {
  none: weightOf('company.none'),
  one: weightOf('company.one'),
  same: weightOf('company.same'),
  other: weightOf('company.part'),
}
const organisation = weightOf('organisation')
const organisationIs = {
  same: weightOf('organisation.company.same'), part: weightOf('organisation.company.part'), other: weightOf('organisation.company.other'),
} // biome-ignore format: a table
// The highest of the weights for a company compared with a person.
const mixed = weightOf('mixed') + weightOf('mixed.company.other')
const familyHome = weightOf('family.home')
const nearHome = weightOf('near.home')
const otherContact = weightOf('otherFirst.contact')
const bothNamesDiffer = weightOf('bothNamesDiffer')
const neighbour = weightOf('neighbour')
const sameAddress = weightOf('sameAddress')
const bothContacts = weightOf('bothContacts')

/** The most that a flat and a street of another name can add. */
const maxElse = flatIs.same + streetIs.near
/** The most that names and a company can add, for persons and for organisations. */
const maxName = Math.max(firstIs.same, firstIs.missing) + Math.max(lastIs.same, lastIs.missing) + companyIs.same
const maxOrganisation = organisation + organisationIs.same

/** The rarity (`Rarity`) of a record's names, postcode and street, in eighths of a bit, one byte each. */
export function packedRarity(first: number, last: number, postCode: number, street: number): number {
  return byte(first) | (byte(last) << 8) | (byte(postCode) << 16) | (byte(street) << 24)
}
const byte = (bits: number) => Math.min(255, Math.round(bits * 8))

/** Two records to compare: where their sketches begin, the rarity of their parts, and the number of readers in bits. */
export interface SketchedPair {
  a: number
  b: number
  rarityA: number
  rarityB: number
  size: number
  /**
   * Emails count as near, and swapped names as similar, only if a full comparison is likely to agree: the emails of namesakes have most of their
   * letters in common.
   */
  isStrict: boolean
}

/** Lower than the score of any two records. */
const belowMinScore = -99

/**
 * An upper estimate, from their sketches, of the log odds that two records are one reader: the sum of the default weights; where a sketch leaves two
 * possible, the higher. Returns early once `min` is out of reach.
 */
export function sketchedOdds(s: Int32Array, pair: SketchedPair, min: number): number {
  const { a, b } = pair
  const emailA = s[a + sketch.email] as number
  const emailB = s[b + sketch.email] as number
  const phoneA = s[a + sketch.phone] as number
  const phoneB = s[b + sketch.phone] as number
  const isSameEmail = emailA !== 0 && emailA === emailB
  const isSamePhone = phoneA !== 0 && phoneA === phoneB
  let odds = start + (isSamePhone ? phoneIs.same : phoneA === 0 || phoneB === 0 ? phoneIs.missing : phoneIs.other)
  if (isSameEmail) odds += emailIs.same + (isSamePhone ? bothContacts : 0)
  else if (emailA === 0 || emailB === 0) odds += emailIs.missing
  else if (isNearEmail(s, a, b, pair.isStrict)) odds += emailIs.near
  else odds += s[a + sketch.box] !== 0 && s[a + sketch.box] === s[b + sketch.box] ? emailIs.box : emailIs.other

  const codeA = s[a + sketch.postCode] as number
  const codeB = s[b + sketch.postCode] as number
  const isSameCode = codeA !== 0 && codeA === codeB
  let place = isSameCode ? rarer(pair, 16) : 0
  if (isSameCode) odds += postCodeIs.same
  else if (codeA === 0 || codeB === 0) odds += postCodeIs.missing
  else {
    // One different character removes one letter and adds one.
    const others = bitsOf((s[a + sketch.postCodeLetters] as number) ^ (s[b + sketch.postCodeLetters] as number))
    odds += others <= 2 ? postCodeIs.near : postCodeIs.other
  }
  const numberA = s[a + sketch.number] as number
  const numberB = s[b + sketch.number] as number
  const isSameNumber = numberA !== 0 && numberA === numberB
  const isOtherNumber = numberA !== 0 && numberB !== 0 && numberA !== numberB
  odds += isSameNumber
    ? numberIs.same
    : isOtherNumber
      ? numberIs.other
      : numberA === numberB
        ? numberIs.none
        : numberIs.one
  const streetA = s[a + sketch.street] as number
  const streetB = s[b + sketch.street] as number
  const isSameStreet = streetA !== 0 && streetA === streetB
  if (isSameStreet) {
    if (isSameNumber) odds += sameAddress
    else if (isOtherNumber && !areDigitsAlike(s, a, b)) odds += neighbour
    place = Math.max(place, rarer(pair, 24))
  }
  const townA = s[a + sketch.town] as number
  const townB = s[b + sketch.town] as number
  const isTownAlone = (streetA === 0 || streetB === 0) && (codeA === 0 || codeB === 0)
  if (isSameNumber) place += 5

  // Most pairs end here: the names are not compared if even equal names would not be enough.
  const firstA = s[a + sketch.first] as number
  const firstB = s[b + sketch.first] as number
  const lastA = s[a + sketch.last] as number
  const lastB = s[b + sketch.last] as number
  const isNamedA = firstA !== 0 || lastA !== 0
  const isNamedB = firstB !== 0 || lastB !== 0
  const isOrganisationA = !isNamedA && s[a + sketch.company] !== 0
  const isOrganisationB = !isNamedB && s[b + sketch.company] !== 0
  const areOrganisations = !isNamedA && !isNamedB && (isOrganisationA || isOrganisationB)
  const rareFirst = Math.max(4, rarer(pair, 0))
  const rareLast = rarer(pair, 8)
  const maxTown = isTownAlone ? townIs.same : cityIs.any
  const maxScore = odds + maxElse + maxTown + rarityWeight(place + rareFirst + rareLast - pair.size)
  if (maxScore + (areOrganisations ? maxOrganisation : maxName) < min) return belowMinScore

  let first = 0
  let last = 0
  let name = 0
  if (areOrganisations) name = organisationWeight(s, a, b)
  else {
    first = firstWeight(s, a, b)
    last = lastWeight(s, a, b)
    if (isOrganisationA !== isOrganisationB) name = mixed
    else if (first + last < 2.5 && firstA !== 0 && lastA !== 0) {
      // The first name of one may be the surname of the other.
      const firstScore = swappedNameScore(s, pair, sketch.first)
      const lastScore = swappedNameScore(s, pair, sketch.last)
      if ((firstScore > 0 && lastScore > 0) || areLettersAlike(s, a, b)) {
        first = firstIs.near
        last = lastIs.near
      } else if (firstScore === 2 || lastScore === 2) {
        const isInitial = ((s[a + sketch.marks] as number) | (s[b + sketch.marks] as number)) & 256
        const either = isInitial
          ? firstIs.initial
          : firstScore === 0 || lastScore === 0
            ? firstIs.missing
            : firstIs.other
        if (either + lastIs.same > first + last) {
          first = either
          last = lastIs.same
        }
      }
    }
    name += first + last + companyWeight(s[a + sketch.company] as number, s[b + sketch.company] as number)
  }
  if (maxScore + name < min) return belowMinScore

  odds += name
  if (isSameStreet) odds += streetIs.same
  else if (streetA === 0 || streetB === 0) odds += streetIs.missing
  else {
    const alike = shared(s, a, b, sketch.placeLetters)
    odds += alike >= 0.6 ? streetIs.near : alike >= 0.45 ? streetIs.part : streetIs.other
  }
  const flatA = ((s[a + sketch.marks] as number) >>> 17) & 255
  const flatB = ((s[b + sketch.marks] as number) >>> 17) & 255
  if (flatA === flatB) odds += flatA === 0 ? flatIs.none : flatIs.same
  else odds += flatA === 0 || flatB === 0 ? flatIs.one : flatIs.other
  if (townA === 0 || townB === 0) odds += cityIs.missing
  else if (isTownAlone) odds += townA === townB ? townIs.same : townIs.other
  else odds += cityIs.any
  if (isNamedA && isNamedB) {
    const isFamily = lastA === lastB && (isSameCode || isSameStreet)
    if (first === firstIs.other || first === firstIs.otherName) {
      if (isFamily) odds += familyHome
      if (isSameEmail || isSamePhone) odds += otherContact
      if (last === lastIs.other) odds += bothNamesDiffer
    } else if (isFamily && first === firstIs.near && firstA !== firstB) odds += nearHome
  }
  let surprise = place - pair.size
  if (firstA === firstB || first === firstIs.near || first === firstIs.short) surprise += rarer(pair, 0)
  else if (first === firstIs.initial) surprise += 4
  if (last === lastIs.same) surprise += rareLast
  return odds + rarityWeight(surprise)
}

function rarityWeight(surprise: number): number {
  const bounded = Math.max(-12, Math.min(15, surprise))
  return surpriseWeight * bounded + commonness * Math.max(0, 5 - bounded)
}

/** The rarity, in bits, of a part that both records have in common: the lower of the two. `shift` is its position in the packed numbers. */
function rarer({ rarityA, rarityB }: SketchedPair, shift: number): number {
  return Math.min((rarityA >>> shift) & 255, (rarityB >>> shift) & 255) / 8
}

function organisationWeight(s: Int32Array, a: number, b: number): number {
  if (s[a + sketch.company] === s[b + sketch.company]) return organisation + organisationIs.same
  const alike = shared(s, a, b, sketch.firstLetters)
  return (
    organisation + (alike >= 0.6 ? organisationIs.same : alike >= 0.42 ? organisationIs.part : organisationIs.other)
  )
}

function companyWeight(a: number, b: number): number {
  if (a === 0 && b === 0) return companyIs.none
  return a === 0 || b === 0 ? companyIs.one : a === b ? companyIs.same : companyIs.other
}

function firstWeight(s: Int32Array, a: number, b: number): number {
  const nameA = s[a + sketch.first] as number
  const nameB = s[b + sketch.first] as number
  if (nameA === 0 || nameB === 0) return firstIs.missing
  if (nameA === nameB) return firstIs.same
  const marksA = s[a + sketch.marks] as number
  const marksB = s[b + sketch.marks] as number
  if ((marksA | marksB) & 256) return (marksA & 255) === (marksB & 255) ? firstIs.initial : firstIs.other
  const tableA = s[a + sketch.firstTable] as number
  const tableB = s[b + sketch.firstTable] as number
  const areInTable = tableA !== 0 && tableB !== 0
  if (areInTable && (tableA & tableB) !== 0) return firstIs.short
  const alike = shared(s, a, b, sketch.firstLetters)
  if (areInTable) return alike >= 0.5 ? firstIs.near : firstIs.otherName
  if (alike >= 0.34 || areLettersAlike(s, a, b)) return firstIs.near
  return s[a + sketch.firstSound] === s[b + sketch.firstSound] ? firstIs.sound : firstIs.other
}

function lastWeight(s: Int32Array, a: number, b: number): number {
  const nameA = s[a + sketch.last] as number
  const nameB = s[b + sketch.last] as number
  if (nameA === 0 || nameB === 0) return lastIs.missing
  if (nameA === nameB) return lastIs.same
  if (shared(s, a, b, sketch.lastLetters) >= 0.34 || areLettersAlike(s, a, b)) return lastIs.near
  return s[a + sketch.lastSound] === s[b + sketch.lastSound] ? lastIs.sound : lastIs.other
}

/** Compares the first name or surname (`kind`) of `a` with the other name of `b`: 2 same, 1 similar, 0 one is missing, -1 different. */
function swappedNameScore(
  s: Int32Array,
  { a, b, isStrict }: SketchedPair,
  kind: typeof sketch.first | typeof sketch.last,
): number {
  const isFirst = kind === sketch.first
  const nameA = s[a + kind] as number
  const nameB = s[b + (isFirst ? sketch.last : sketch.first)] as number
  if (nameA === 0 || nameB === 0) return 0
  if (nameA === nameB) return 2
  const letters = isFirst ? sketch.firstLetters : sketch.lastLetters
  const alike = shared(s, a, b, letters, isFirst ? sketch.lastLetters : sketch.firstLetters)
  // One typo in a name of three letters leaves two of its seven letter pairs in common.
  return alike >= (isStrict ? 0.38 : 0.28) ? 1 : -1
}

/**
 * The strict rule allows as many errors as a full comparison. Each error removes up to two letter pairs and adds two, but some of these coincide:
 * three errors hardly ever make more than ten pairs differ.
 */
function isNearEmail(s: Int32Array, a: number, b: number, isStrict: boolean): boolean {
  if (!isStrict) return shared(s, a, b, sketch.emailLetters) >= 0.66
  const lengthA = (s[a + sketch.marks] as number) >>> 25
  const lengthB = (s[b + sketch.marks] as number) >>> 25
  const errors = Math.min(3, Math.max(lengthA, lengthB) >>> 3)
  if (Math.abs(lengthA - lengthB) > errors) return false
  return differing(s, a + sketch.emailLetters, b + sketch.emailLetters) <= Math.min(10, 4 * errors)
}

/** The share of the letter pairs that two texts have in common, 0 to 1. */
function shared(s: Int32Array, a: number, b: number, letters: number, lettersB = letters): number {
  const countA = ((s[a + sketch.letterCounts] as number) >>> ((letters - sketch.firstLetters) * 4)) & 255
  const countB = ((s[b + sketch.letterCounts] as number) >>> ((lettersB - sketch.firstLetters) * 4)) & 255
  if (countA === 0 || countB === 0) return 0
  return 1 - differing(s, a + letters, b + lettersB) / (countA + countB)
}

/** Whether the names may differ only by typos: swapping two letters changes most letter pairs of a short name, but none of its letters. */
function areLettersAlike(s: Int32Array, a: number, b: number): boolean {
  return bitsOf(((s[a + sketch.characters] as number) ^ (s[b + sketch.characters] as number)) & 0x3ffffff) <= 1
}

/** Whether two house numbers may differ only by one typo. */
function areDigitsAlike(s: Int32Array, a: number, b: number): boolean {
  return bitsOf(((s[a + sketch.characters] as number) ^ (s[b + sketch.characters] as number)) >>> 26) <= 2
}

/** How many letter pairs only one of two sets has. */
function differing(s: Int32Array, a: number, b: number): number {
  return bitsOf((s[a] as number) ^ (s[b] as number)) + bitsOf((s[a + 1] as number) ^ (s[b + 1] as number))
}
