import type { z } from 'zod'
import { type Access, can } from './access/permissions.ts'
import type { AppContext } from './context.ts'
import { denied, invalid, signedOut } from './kernel/errors.ts'
import { english, type FieldPhrases, type Phrase, tooLongPhrase } from './kernel/phrases.ts'

interface Definition<Schema extends z.ZodType, Result> {
  /** A row of the permission table, `buyer`, or `public` said aloud. */
  permission: Access
  input: Schema
  /**
   * `one` (the default): the whole body is one transaction. `none`: a query, or a use-case that sets its own borders
   * because it talks to the outside between them (a payment) or runs for minutes (a file).
   */
  transaction?: 'one' | 'none'
  /**
   * Further field problems, of rules that depend on settings or on what is stored (a taken e-mail). They are told together with the
   * schema's own, so that a form says everything at once. `raw` has not passed the schema: look at it with care.
   */
  alsoCheck?(ctx: AppContext, raw: Record<string, unknown>): Promise<FieldPhrases> | FieldPhrases
  run(ctx: AppContext, input: z.output<Schema>): Promise<Result>
}

export interface UseCase<Schema extends z.ZodType = z.ZodType, Result = unknown> {
  (ctx: AppContext, raw: unknown): Promise<Result>
  readonly permission: Access
  readonly input: Schema
}

/**
 * One business action, the same behind every door: asks the permission table, validates all fields (not the first
 * wrong one), opens the transaction, runs. Jobs queued inside are rows of the same transaction.
 */
export function useCase<Schema extends z.ZodType, Result>(
  definition: Definition<Schema, Result>,
): UseCase<Schema, Result> {
  const { permission, input, transaction = 'one', alsoCheck, run } = definition
  const call = async (ctx: AppContext, raw: unknown): Promise<Result> => {
    if (!can(ctx.actor, permission)) throw ctx.actor.kind === 'visitor' ? signedOut() : denied()
    const given = storable(raw)
    const parsed = validate(input, given, alsoCheck ? await alsoCheck(ctx, asRecord(given)) : {})
    return transaction === 'one' ? ctx.db.transaction(() => run(ctx, parsed)) : run(ctx, parsed)
  }
  return Object.assign(call, { permission, input })
}

/** Parses with a schema and throws `invalid` with one message per field: the first problem of each field, all fields at once. */
function validate<Schema extends z.ZodType>(schema: Schema, raw: unknown, more: FieldPhrases): z.output<Schema> {
  const result = schema.safeParse(raw ?? {})
  const fields: FieldPhrases = {}
  for (const issue of result.error?.issues ?? []) {
    const name = issue.path.map(String).join('.') || 'form'
    fields[name] ??= phraseOfIssue(issue)
  }
  for (const [name, message] of Object.entries(more)) fields[name] ??= message
  if (!result.success || Object.keys(fields).length > 0) throw invalid(fields)
  return result.data
}

/** A schema says its problems in finished English; what is in its message beside words is in the issue as well. */
function phraseOfIssue(issue: z.core.$ZodIssue): Phrase {
  if (issue.code === 'custom' && issue.params?.phrase) return issue.params.phrase as Phrase
  if (issue.code !== 'too_big') return issue.message
  const tooLong = tooLongPhrase(Number(issue.maximum))
  return issue.message === english(tooLong) ? tooLong : issue.message
}

/** No keyboard has a NUL or half a character, and PostgreSQL takes neither: they are dropped, or replaced, wherever a door was given them. */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return /[\0\p{Cs}]/u.test(value) ? plain(value) : value
  if (Array.isArray(value)) return value.map(storable)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, storable(part)]))
}

const plain = (text: string) => text.replaceAll('\0', '').replaceAll(/\p{Cs}/gu, '\ufffd')

function asRecord(raw: unknown): Record<string, unknown> {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? (raw as Record<string, unknown>) : {}
}
