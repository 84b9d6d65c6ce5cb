import { editDistance } from '../kernel/edit-distance.ts'

type EmailLevel = 'same' | 'near' | 'box' | 'other' | 'missing'
type PhoneLevel = 'same' | 'near' | 'other' | 'missing'
type CompanyLevel = 'same' | 'near' | 'part' | 'other' | 'one' | 'none'

export interface ContactEvidence {
  email: EmailLevel
  /** Similar emails whose digits differ: jane.smith12@ and jane.smith75@ are mostly two people with the same name. */
  hasOtherDigits: boolean
  phone: PhoneLevel
  company: CompanyLevel
}

interface Contacts {
  email: string
  phone: string
  company: string
}

/** Compares email, telephone and company. */
export function compareContacts(a: Contacts, b: Contacts): ContactEvidence {
  const email = emailLevel(a.email, b.email)
  return {
    email,
    hasOtherDigits: email === 'near' && digitsOf(a.email) !== digitsOf(b.email),
    phone: phoneLevel(a.phone, b.phone),
    company: companyLevel(a.company, b.company),
  }
}

function emailLevel(a: string, b: string): EmailLevel {
  if (a === '' || b === '') return 'missing'
  if (a === b) return 'same'
  // In a short address, two different letters already mean another address.
  const errors = Math.min(3, Math.floor(Math.max(a.length, b.length) / 8))
  if (editDistance(a, b, errors) <= errors) return 'near'
  const localPartA = a.split('@', 1)[0] ?? ''
  const localPartB = b.split('@', 1)[0] ?? ''
  return localPartA === localPartB && localPartA.length >= 6 ? 'box' : 'other'
}

const digitsOf = (text: string) => text.replaceAll(/\D+/g, '')

function phoneLevel(a: string, b: string): PhoneLevel {
  if (a === '' || b === '') return 'missing'
  if (a === b) return 'same'
  if (a.length !== b.length && (a.endsWith(b) || b.endsWith(a))) return 'same'
  return editDistance(a, b, 1) === 1 ? 'near' : 'other'
}

function companyLevel(a: string, b: string): CompanyLevel {
  if (a === '' && b === '') return 'none'
  if (a === '' || b === '') return 'one'
  if (a === b) return 'same'
  const bareA = a.replaceAll(' ', '')
  const bareB = b.replaceAll(' ', '')
  const errors = editDistance(bareA, bareB, 2)
  if (errors === 0) return 'same'
  if (errors <= 2 && Math.min(bareA.length, bareB.length) >= 6) return 'near'
  const [short, long] = a.length < b.length ? [a.split(' '), b.split(' ')] : [b.split(' '), a.split(' ')]
  if (areInitials(short, long)) return 'part'
  let found = 0
  for (const word of short) {
    if (long.some((other) => other === word || (word.length >= 5 && editDistance(word, other, 1) <= 1))) found++
  }
  return found === short.length ? (long.length === short.length ? 'near' : 'part') : 'other'
}

/** Whether one name is the initials of the other: "rhs" and "royal horticultural society". */
function areInitials(short: string[], long: string[]): boolean {
  const [word = ''] = short
  return short.length === 1 && word.length >= 3 && word === long.map(([letter]) => letter).join('')
}
