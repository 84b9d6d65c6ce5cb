import type { LikelyRecord } from './likely-record.rules.ts'
import type { PairEvidence } from './pair-evidence.rules.ts'

/** Why a pair is considered one reader, in short sentences: first what agrees, then what does not. */
export function explainPair(a: LikelyRecord, b: LikelyRecord, evidence: PairEvidence): string[] {
  const { first, last, isSwapped, number, street, flat, city, postCode, email, phone, company } = evidence
  const similarities: string[] = []
  const differences: string[] = []
  const both = (nameA: string, nameB: string) => `${displayName(nameA)} / ${displayName(nameB)}`
  if (isSwapped || a.wasSwapped !== b.wasSwapped) similarities.push('first name and surname swapped')
  if (isSwapped) {
    if (first === 'other' || first === 'otherName') differences.push('different first name')
  } else {
    const isNamed = a.first !== '' && a.last !== ''
    if (isNamed && first === 'same' && last === 'same') similarities.push('same name')
    else {
      if (last === 'same') similarities.push('same surname')
      else if (last === 'slip' || last === 'near' || last === 'sound' || last === 'part') {
        similarities.push(`similar surname: ${both(a.last, b.last)}`)
      } else if (last === 'other') differences.push(`different surname: ${both(a.last, b.last)}`)
      if (first === 'same') similarities.push('same first name')
      else if (first === 'middle') similarities.push('same first name, different middle name')
      else if (first === 'short') similarities.push(`short form of the first name: ${both(a.first, b.first)}`)
      else if (first === 'initial') similarities.push(`first name fits the initial: ${both(a.first, b.first)}`)
      else if (first === 'slip' || first === 'near' || first === 'sound') {
        similarities.push(`similar first name: ${both(a.first, b.first)}`)
      } else if (first !== 'missing') differences.push(`different first name: ${both(a.first, b.first)}`)
    }
  }
  if (email === 'same') similarities.push('same email')
  else if (email === 'near') similarities.push('similar email')
  else if (email === 'other') differences.push('different email')
  if (phone === 'same') similarities.push('same telephone')
  else if (phone === 'near') similarities.push('telephone differs by one digit')
  else if (phone === 'other') differences.push('different telephone')
  if (company === 'same') similarities.push('same company')
  else if (company === 'near' || company === 'part') similarities.push('similar company')
  else if (company === 'other') differences.push('different company')
  if (street === 'same' && number === 'same') similarities.push('same address')
  else if (street === 'near' && number === 'same') similarities.push('similar address')
  else if (street === 'same' || street === 'near') {
    if (number === 'other') differences.push(`different house number: ${both(a.number, b.number)}`)
    else similarities.push('same street')
  } else if (street === 'part') similarities.push('partly the same address')
  else if (street === 'other') differences.push('different address')
  if (flat === 'other') differences.push(`different flat: ${both(a.flat, b.flat)}`)
  if (postCode === 'same') similarities.push('same postcode')
  else if (postCode === 'near') similarities.push(`postcode differs by one character: ${a.postCode} / ${b.postCode}`)
  else if (postCode === 'other' || postCode === 'district') differences.push('different postcode')
  if (city === 'same' && postCode !== 'same') similarities.push('same town')
  if (evidence.isOtherGender) differences.push('titles of different genders')
  return [...similarities, ...differences]
}

/** A name as it was compared, with a capital letter. */
function displayName(name: string): string {
  return name === '' ? '(none)' : name.charAt(0).toUpperCase() + name.slice(1)
}
