import { composedFullName } from '../readers/full-name.rules.ts'
import { parseName } from './parse-name.rules.ts'

export interface NameFields {
  title: string
  firstName: string
  lastName: string
  fullName: string
}

/** The name with its empty full name composed from its parts; null when there are none. */
export function withFullName(name: NameFields): NameFields | null {
  if (name.fullName !== '' || (name.firstName === '' && name.lastName === '')) return null
  return { ...name, fullName: composedFullName(name) }
}

/**
 * The name with its empty first and last name, and an empty title, taken out of the full name: "Dr. Jan van der Berg", "Smith, John", "RODRIGUEZ JR,
 * FRANCISCO". Existing values are never overwritten, and must fit. Null when it cannot be determined: couples, offices, one word, emails, a surname
 * that the full name does not end with.
 */
export function withNameFields(name: NameFields): NameFields | null {
  if (name.firstName !== '' && name.lastName !== '') return null
  const split = parseName(name.fullName, name)
  if (!split) return null
  const after = {
    ...name,
    title: name.title || split.title.slice(0, 30),
    firstName: name.firstName || split.firstName,
    lastName: name.lastName || split.lastName,
  }
  const isLonger = after.firstName.length > 100 || after.lastName.length > 100
  return isLonger || (after.firstName === name.firstName && after.lastName === name.lastName) ? null : after
}
