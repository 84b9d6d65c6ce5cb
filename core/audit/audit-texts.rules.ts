import { formatDay } from '../kernel/dates.ts'
import { currencies, formatMoney } from '../kernel/money.ts'
import { formatCount } from '../kernel/text-format.ts'

/** The texts for actors without a name. */
export const nameless = {
  buyer: 'A reader',
  partner: 'A partner’s program',
  operator: 'The command line',
  system: 'The system',
  visitor: 'A visitor',
} as const

/** Actions with which a visitor authenticates as a user: the log names that user. */
export const authenticatingActions = ['log-in', 'use-recovery-code', 'reset-password', 'sign-up'] as const

const entryPoints: Record<string, string> = { web: 'Web', api: 'API', cli: 'Command line', worker: 'Worker' }

export function entryPointName(entryPoint: string): string {
  return entryPoints[entryPoint] ?? sentenceCase(entryPoint)
}

export interface SubjectNames {
  type: string
  id: number | null
  userName?: string | undefined
  orderNumber?: string | undefined
  publicationName?: string | undefined
}

/** The subject of the action: a title, an order or a user by name; anything without a name by its number. */
export function describeSubject({ type, id, userName, orderNumber, publicationName }: SubjectNames): string {
  if (userName) return userName
  if (orderNumber) return `Order ${orderNumber}`
  if (type === 'publication' && publicationName) return publicationName
  const typeName = sentenceCase(type)
  const subject = type === 'reader' && id !== null ? `${typeName} ${id}` : typeName
  if (publicationName) return `${subject} of ${publicationName}`
  return id === null || type === 'reader' ? subject : `${typeName} ${id}`
}

export interface Fact {
  name: string
  value: string
}

/** The facts of a row for people: "Readers 812", "Amount £29.99", "Fields first name, email". */
export function describeFacts(facts: Record<string, unknown>): Fact[] {
  const { amount, currency, ...rest } = facts
  const money = currencies.find((code) => code === currency)
  const isMoney = money !== undefined && typeof amount === 'number'
  const others = isMoney ? rest : facts
  return [
    ...(isMoney ? [{ name: 'Amount', value: formatMoney({ amount, currency: money }) }] : []),
    ...Object.entries(others).flatMap(([name, value]) => {
      const text = factText(value)
      return text === '' ? [] : [{ name: sentenceCase(name), value: text }]
    }),
  ]
}

const dayPattern = /^\d{4}-\d\d-\d\d$/
const namePattern = /^[a-z][A-Za-z0-9]*(-[a-z0-9]+)*$/

function factText(value: unknown): string {
  if (typeof value === 'number') return formatCount(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string') {
    if (dayPattern.test(value)) return formatDay(value)
    return namePattern.test(value) ? spaced(value) : value
  }
  if (Array.isArray(value)) return value.map(factText).filter(Boolean).join(', ')
  if (typeof value === 'object' && value !== null) {
    return describeFacts(value as Record<string, unknown>)
      .map((fact) => `${fact.name.toLowerCase()} ${fact.value}`)
      .join(', ')
  }
  return ''
}

/** `firstName` and `mailing-file` as separate words: first name, mailing file. */
function spaced(text: string): string {
  return text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('-', ' ')
    .toLowerCase()
}

function sentenceCase(text: string): string {
  const lowerCase = spaced(text)
  return lowerCase.charAt(0).toUpperCase() + lowerCase.slice(1)
}
