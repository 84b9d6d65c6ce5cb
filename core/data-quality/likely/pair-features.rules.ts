import type { PairEvidence } from './pair-evidence.rules.ts'

/** The evidence as names of the weights it adds up; `surprise` is the one that is multiplied. */
export function pairFeatures(evidence: PairEvidence): string[] {
  const { first, last, number, street, flat, city, postCode, email, phone, company } = evidence
  const names: string[] = []
  if (evidence.isOrganisation) names.push('organisation', `organisation.company.${company}`)
  else {
    names.push(`first.${first}`, `last.${last}`, `company.${company}`)
    if (evidence.isSwapped) names.push('swapped')
    if (evidence.isMixed) names.push('mixed', `mixed.company.${company}`)
    if (evidence.isOtherFirstName) names.push(isHomeOf(evidence) ? 'otherFirstName.home' : 'otherFirstName')
    if (evidence.isOtherSurname) names.push('otherSurname')
    if (evidence.isOtherGender) names.push('otherGender')
    if (evidence.isOtherGeneration) names.push('otherGeneration')
    if (evidence.isHalfCouple) names.push('halfCouple')
    const isSameLast = last === 'same' || last === 'slip'
    const isOtherFirst = first === 'other' || first === 'otherName'
    const isHome = isHomeOf(evidence)
    // Wives and husbands, parents and children: what they share says nothing about who they are.
    if (isOtherFirst && isSameLast) names.push(isHome ? 'family.home' : 'family')
    if (isOtherFirst && (email === 'same' || phone === 'same')) names.push('otherFirst.contact')
    if (first === 'initial' && evidence.isOtherGender) names.push('initial.otherGender')
    if (first === 'near' && isSameLast && isHome) names.push('near.home')
    // Initials and missing first names fit everybody of a family.
    if ((first === 'missing' || first === 'initial') && email !== 'same') names.push('vague.noEmail')
    if (last === 'other' && first === 'same' && isHome) names.push('sameFirst.home')
    if (last === 'other' && isOtherFirst) names.push('stranger')
  }
  names.push(`number.${number}`, `street.${street}`, `flat.${flat}`, `city.${city}`, `postCode.${postCode}`)
  names.push(`email.${email}`, `phone.${phone}`)
  const isElsewhere = street === 'other' && (postCode === 'other' || postCode === 'missing')
  if (isElsewhere) names.push('elsewhere')
  if (street === 'same' && number === 'same') names.push('door')
  if (street === 'same' && number === 'other') names.push('neighbour')
  if (email === 'same' && phone === 'same') names.push('bothContacts')
  return names
}

function isHomeOf({ street, postCode }: PairEvidence): boolean {
  return street === 'same' || street === 'near' || postCode === 'same'
}
