import { isSameHome, isTownAlone, type PairEvidence } from './pair-evidence.rules.ts'

/** Receives one feature of a pair: what was compared, and the result ('' if only one is possible). */
export type TakeFeature = (name: string, level: string) => void

/** Calls `take` for each feature of a pair whose weight counts, except `surprise` (see `surpriseWeight`). */
export function eachFeature(evidence: PairEvidence, take: TakeFeature): void {
  const { first, last, number, street, postCode, email, phone, company } = evidence
  if (evidence.isOrganisation) {
    take('organisation', '')
    take('organisation.company', company)
  } else {
    take('first', first)
    take('last', last)
    take('company', company)
    if (evidence.isSwapped) take('swapped', '')
    if (evidence.isMixed) {
      take('mixed', '')
      take('mixed.company', company)
    }
    const isHome = isSameHome(evidence)
    if (evidence.isOtherFirstName) take(isHome ? 'otherFirstName.home' : 'otherFirstName', '')
    if (evidence.isOtherSurname) take('otherSurname', '')
    if (evidence.isOtherGender) take('otherGender', '')
    if (evidence.isOtherGeneration) take('otherGeneration', '')
    if (evidence.isHalfCouple) take('halfCouple', '')
    const isSameLast = last === 'same' || last === 'slip'
    const isOtherFirst = first === 'other' || first === 'otherName'
    // Couples, parents and children: what a family shares does not identify a person.
    if (isOtherFirst && isSameLast) take(isHome ? 'family.home' : 'family', '')
    if (isOtherFirst && (email === 'same' || phone === 'same')) take('otherFirst.contact', '')
    if (first === 'initial' && evidence.isOtherGender) take('initial.otherGender', '')
    if (first === 'near' && isSameLast && isHome) take('near.home', '')
    // Initials and missing first names match every member of a family.
    if ((first === 'missing' || first === 'initial') && email !== 'same') take('vague.noEmail', '')
    if (last === 'other' && first === 'same' && isHome) take('sameFirst.home', '')
    if (last === 'other' && isOtherFirst) take('bothNamesDiffer', '')
  }
  take('number', number)
  take('street', street)
  take('flat', evidence.flat)
  // Beside a street or a postcode, the town is no further evidence.
  take(isTownAlone(evidence) ? 'town' : 'city', evidence.city)
  take('postCode', postCode)
  take('email', email)
  take('phone', phone)
  if (street === 'other' && (postCode === 'other' || postCode === 'missing')) take('otherAddress', '')
  if (street === 'same' && number === 'same') take('sameAddress', '')
  if (street === 'same' && number === 'other') take('neighbour', '')
  if (email === 'same' && phone === 'same') take('bothContacts', '')
}
