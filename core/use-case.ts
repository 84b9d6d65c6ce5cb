import type { z } from 'zod'
import { type Access, can } from './access/permissions.ts'
import type { AppContext } from './context.ts'
import { denied, type FieldErrors, invalid, signedOut } from './kernel/errors.ts'

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
  alsoCheck?(ctx: AppContext, raw: Record<string, unknown>): Promise<FieldErrors> | FieldErrors
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
    const given = withoutNul(raw)
    const parsed = validate(input, given, alsoCheck ? await alsoCheck(ctx, asRecord(given)) : {})
    return transaction === 'one' ? ctx.db.transaction(() => run(ctx, parsed)) : run(ctx, parsed)
  }
  return Object.assign(call, { permission, input })
}

/** Parses with a schema and throws `invalid` with one message per field: the first problem of each field, all fields at once. */
function validate<Schema extends z.ZodType>(schema: Schema, raw: unknown, more: FieldErrors): z.output<Schema> {
  const result = schema.safeParse(raw ?? {})
  const fields: FieldErrors = {}
  for (const issue of result.error?.issues ?? []) {
    const name = issue.path.map(String).join('.') || 'form'
    fields[name] ??= issue.message
  }
  for (const [name, message] of Object.entries(more)) fields[name] ??= message
  if (!result.success || Object.keys(fields).length > 0) throw invalid(fields)
  return result.data
}

/** No keyboard has a NUL and PostgreSQL takes none: it is dropped wherever it stands in what a door was given. */
function withoutNul(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '') : value
  if (Array.isArray(value)) return value.map(withoutNul)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutNul(part)]))
}

function asRecord(raw: unknown): Record<string, unknown> {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? (raw as Record<string, unknown>) : {}
}
