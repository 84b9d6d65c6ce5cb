import type { AppContext } from '../context.ts'
import { isUniqueViolation } from '../database.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { type FieldErrors, invalid } from '../kernel/errors.ts'
import { inputId } from '../kernel/input-values.ts'
import { parseTypedDay } from '../kernel/parse-typed-day.ts'
import { type Promo, promosWhere } from './own-promo.ts'
import { promoKey } from './promo-uses.ts'

export const takenCode = { code: 'This code is already in use for this publication. Choose another one.' }
const endsBeforeStartMessage = 'Must not be before the start date'

/** The problems of a new promo code that the schema cannot detect, reported together with the others. A blank start is today. */
export async function newPromoProblems(ctx: AppContext, raw: Record<string, unknown>): Promise<FieldErrors> {
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  const endsOn = typedDay(raw.endsOn)
  const errors: FieldErrors = {}
  if (endsOn && endsOn < (typedDay(raw.startsOn) ?? today)) errors.endsOn = endsBeforeStartMessage
  if (endsOn && endsOn < today) errors.endsOn = 'Must not be in the past'
  return { ...errors, ...(await duplicateCodeProblem(ctx, inputId(raw.publicationId), raw.code, null)) }
}

/** The problems of a changed promo code: its start is fixed, and its uses cannot fall below those already taken. */
export async function changedPromoProblems(ctx: AppContext, raw: Record<string, unknown>): Promise<FieldErrors> {
  const [stored] = await promosWhere(ctx, 'c.id = :id', { id: inputId(raw.id) })
  if (!stored) return {}
  const { startsOn } = stored
  const newStart = typedDay(raw.startsOn)
  const endsOn = typedDay(raw.endsOn)
  return {
    ...(newStart && newStart !== startsOn
      ? { startsOn: 'The start date cannot be changed. Make a new code instead.' }
      : {}),
    ...(startsOn && endsOn && endsOn < startsOn ? { endsOn: endsBeforeStartMessage } : {}),
    ...tooFewUses(stored, raw.uses),
    ...(await duplicateCodeProblem(ctx, stored.publicationId, raw.code, stored.id)),
  }
}

/** Reports the database's refusal of a duplicate as a form error: the code may be taken between the check and the write. */
export async function reportTakenCode<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    if (isUniqueViolation(error)) throw invalid(takenCode)
    throw error
  }
}

/** Zero is unlimited; else it must allow for those already taken. */
export function tooFewUses({ used }: Pick<Promo, 'used'>, uses: unknown): FieldErrors {
  const count = typeof uses === 'number' || typeof uses === 'string' ? Number(uses) : 0
  if (!(count > 0 && count < used)) return {}
  return { uses: `Must be 0 (unlimited) or at least ${used}: that many have been used already` }
}

/** Checks only publications that the actor may access: a stranger learns nothing about others' codes. */
async function duplicateCodeProblem(
  ctx: AppContext,
  publicationId: number,
  code: unknown,
  exceptId: number | null,
): Promise<FieldErrors> {
  if (typeof code !== 'string' || !code.trim()) return {}
  const sameCode = await promosWhere(ctx, 'c.publication_id = :publicationId AND c.code_key = :codeKey', {
    publicationId,
    codeKey: promoKey(code),
  })
  return sameCode.some(({ id }) => id !== exceptId) ? takenCode : {}
}

function typedDay(value: unknown): Day | null {
  return typeof value === 'string' ? parseTypedDay(value) : null
}
