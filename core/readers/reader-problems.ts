import type { AppContext } from '../context.ts'
import { isUniqueViolation } from '../database.ts'
import { type Day, openEnd, openStart } from '../kernel/dates.ts'
import { isEmailAddress, normalEmail } from '../kernel/email.rules.ts'
import type { FieldErrors } from '../kernel/errors.ts'
import { invalid } from '../kernel/errors.ts'
import { misreadProblem } from '../kernel/misread-text.ts'
import { parseTypedDay } from '../kernel/parse-typed-day.ts'
import { english } from '../kernel/phrases.ts'
import { webAddressOf } from '../kernel/web-address.ts'
import { endsBeforeStart } from '../terms/term.rules.ts'
import type { OwnPublication } from './own-reader-row.ts'
import { questionLetters, typedReaderFields, yesNoLetters } from './reader-fields.rules.ts'
import type { ReaderRow } from './readers.rows.ts'
import { normaliseReference } from './unique-reference.rules.ts'

export const takenReference = {
  uniqueReference: 'Another reader of this publication has this reference. Choose another one.',
}

/** A record must have at least one of these. */
const identity = ['firstName', 'lastName', 'fullName', 'companyName', 'email'] as const

/**
 * The problems that the schema cannot detect, reported together with the others. `stored` is the record before a change: its existing values are not
 * rejected, so that an old record can be corrected field by field.
 */
export async function readerProblems(
  ctx: AppContext,
  raw: Record<string, unknown>,
  { publication, stored }: { publication: OwnPublication; stored: ReaderRow | null },
): Promise<FieldErrors> {
  return {
    ...misreadProblems(raw, stored),
    ...namelessProblem(raw, stored),
    ...termProblem(raw, stored),
    ...emailProblem(raw, stored),
    ...webAddressProblem(raw, stored),
    ...answerProblems(raw, publication, stored),
    ...(await referenceProblem(ctx, raw, publication.id, stored)),
  }
}

/** A race: the reference may be taken between the check and the write. Reports the database's refusal as a form error. */
export async function reportTakenReference<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    if (isUniqueViolation(error)) throw invalid(takenReference)
    throw error
  }
}

function typedText(raw: Record<string, unknown>, field: string): string | undefined {
  const value = raw[field]
  if (value === null) return ''
  return typeof value === 'string' ? value.trim() : undefined
}

function namelessProblem(raw: Record<string, unknown>, stored: ReaderRow | null): FieldErrors {
  const isBlank = identity.every((field) => (typedText(raw, field) ?? stored?.[field] ?? '') === '')
  const wasBlank = stored !== null && identity.every((field) => stored[field] === '')
  return isBlank && !wasBlank ? { lastName: 'Enter a name, a company or an email' } : {}
}

function misreadProblems(raw: Record<string, unknown>, stored: ReaderRow | null): FieldErrors {
  const problems: FieldErrors = {}
  for (const { name, kind } of typedReaderFields) {
    const text = kind === 'text' ? raw[name] : undefined
    if (typeof text !== 'string' || text.trim() === (stored as Record<string, unknown> | null)?.[name]) continue
    const problem = misreadProblem(text)
    if (problem !== null) problems[name] = english(problem)
  }
  return problems
}

function termProblem(raw: Record<string, unknown>, stored: ReaderRow | null): FieldErrors {
  // Null is an invalid day, which the schema reports.
  const dayOf = (field: 'subStartOn' | 'subEndOn'): Day | '' | null => {
    const text = typedText(raw, field)
    return text === undefined ? (stored?.[field] ?? '') : text === '' ? '' : parseTypedDay(text)
  }
  const startOn = dayOf('subStartOn')
  const endOn = dayOf('subEndOn')
  if (startOn === null || endOn === null || !endsBeforeStart({ startOn, endOn })) return {}
  // What was stored before this rule may stay: a form sends a day that stands for a blank one as blank.
  if ((startOn || openStart) === stored?.subStartOn && (endOn || openEnd) === stored.subEndOn) return {}
  if (startOn === '') return { subEndOn: 'Must not be before 01/01/1970' }
  return endOn === ''
    ? { subStartOn: 'Must not be after 01/01/2100' }
    : { subEndOn: 'Must not be before the start date' }
}

function emailProblem(raw: Record<string, unknown>, stored: ReaderRow | null): FieldErrors {
  const email = typedText(raw, 'email')
  return email && email !== stored?.email && !isEmailAddress(normalEmail(email))
    ? { email: 'Invalid email address' }
    : {}
}

function webAddressProblem(raw: Record<string, unknown>, stored: ReaderRow | null): FieldErrors {
  const address = typedText(raw, 'webAddress')
  if (!address || address === stored?.webAddress || webAddressOf(address) !== null) return {}
  return { webAddress: 'Invalid Web address' }
}

function answerProblems(
  raw: Record<string, unknown>,
  publication: OwnPublication,
  stored: ReaderRow | null,
): FieldErrors {
  const problems: FieldErrors = {}
  for (const letter of questionLetters) {
    const answer = typedText(raw, `answer${letter}`)
    if (!answer || answer === stored?.[`answer${letter}`]) continue
    if (publication[`question${letter}`] === '') {
      problems[`answer${letter}`] = `This publication asks no question ${letter}`
    } else if (yesNoLetters.includes(letter) && !/^(yes|no)$/i.test(answer)) {
      problems[`answer${letter}`] = 'Must be Yes or No'
    }
  }
  return problems
}

async function referenceProblem(
  ctx: AppContext,
  raw: Record<string, unknown>,
  publicationId: number,
  stored: ReaderRow | null,
): Promise<FieldErrors> {
  const typed = typedText(raw, 'uniqueReference')
  const reference = typed === undefined ? undefined : normaliseReference(typed)
  if (reference === undefined || reference === stored?.uniqueReference) return {}
  // A new reader without one gets the next; a stored one must keep one.
  if (reference === '') return stored ? { uniqueReference: 'Required' } : {}
  if (!stored && reference === typedText(raw, 'referenceOffered')) return {}
  const existing = await ctx.db.query(
    `SELECT 1 FROM readers WHERE publication_id = :publicationId AND unique_reference = :reference`,
    { publicationId, reference: reference.slice(0, 100) },
  )
  return existing.length > 0 ? takenReference : {}
}
