import type { LikelyRecord } from './likely-record.rules.ts'
import type { PairEvidence } from './pair-evidence.rules.ts'

/** Why a pair is considered one reader, in short sentences: what agrees first, then what does not. */
export function explainPair(a: LikelyRecord, b: LikelyRecord, evidence: PairEvidence): string[] {
  const { first, last, isSwapped, number, street, flat, city, postCode, email, phone, company } = evidence
  const why: string[] = []
  const not: string[] = []
  const two = (one: string, other: string) => `${displayName(one)} / ${displayName(other)}`
  if (isSwapped || a.wasSwapped !== b.wasSwapped) why.push('first name and surname swapped')
  if (isSwapped) {
    if (first === 'other' || first === 'otherName') not.push('different first name')
  } else {
    const isNamed = a.first !== '' && a.last !== ''
    if (isNamed && first === 'same' && last === 'same') why.push('same name')
    else {
      if (last === 'same') why.push('same surname')
      else if (last === 'slip' || last === 'near' || last === 'sound' || last === 'part') {
        why.push(`similar surname: ${two(a.last, b.last)}`)
      } else if (last === 'other') not.push(`different surname: ${two(a.last, b.last)}`)
      if (first === 'same') why.push('same first name')
      else if (first === 'middle') why.push('same first name, different middle name')
      else if (first === 'short') why.push(`short form of the first name: ${two(a.first, b.first)}`)
      else if (first === 'initial') why.push(`first name fits the initial: ${two(a.first, b.first)}`)
      else if (first === 'slip' || first === 'near' || first === 'sound') {
        why.push(`similar first name: ${two(a.first, b.first)}`)
      } else if (first !== 'missing') not.push(`different first name: ${two(a.first, b.first)}`)
    }
  }
  if (email === 'same') why.push('same email')
  else if (email === 'near') why.push('similar email')
  else if (email === 'other') not.push('different email')
  if (phone === 'same') why.push('same telephone')
  else if (phone === 'near') why.push('telephone differs by one digit')
  else if (phone === 'other') not.push('different telephone')
  if (company === 'same') why.push('same company')
  else if (company === 'near' || company === 'part') why.push('similar company')
  else if (company === 'other') not.push('different company')
  if (street === 'same' && number === 'same') why.push('same address')
  else if (street === 'near' && number === 'same') why.push('similar address')
  else if (street === 'same' || street === 'near') {
    if (number === 'other') not.push(`different house number: ${two(a.number, b.number)}`)
    else why.push('same street')
  } else if (street === 'part') why.push('partly the same address')
  else if (street === 'other') not.push('different address')
  if (flat === 'other') not.push(`different flat: ${two(a.flat, b.flat)}`)
  if (postCode === 'same') why.push('same postcode')
  else if (postCode === 'near') why.push(`postcode differs by one character: ${a.postCode} / ${b.postCode}`)
  else if (postCode === 'other' || postCode === 'district') not.push('different postcode')
  if (city === 'same' && postCode !== 'same') why.push('same town')
  if (evidence.isOtherGender) not.push('titles of different genders')
  return [...why, ...not]
}

/** A name as its record was compared, with a capital. */
function displayName(name: string): string {
  return name === '' ? '(none)' : name.charAt(0).toUpperCase() + name.slice(1)
}
