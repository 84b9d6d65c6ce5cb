import type { z } from 'zod'
import { type Access, can } from './access/permissions.ts'
import type { AppContext } from './context.ts'
import { denied, invalid, unauthenticated } from './kernel/errors.ts'
import { parseInput, withoutNulls } from './kernel/parse-input.ts'
import type { FieldPhrases } from './kernel/phrases.ts'
import { storableText } from './kernel/storable-text.ts'

interface Definition<Schema extends z.ZodType, Result> {
  /** A row of the permission table, a partner scope, `buyer`, or an explicit `public`. */
  permission: Access
  input: Schema
  /**
   * `one` (the default): the whole body is one transaction. `none`: a query, or a use case that sets its own transaction boundaries because it calls
   * other systems between them (a payment) or runs for minutes (a file).
   */
  transaction?: 'one' | 'none'
  /**
   * Further field problems, from rules that depend on settings or on what is stored (a taken email). They are returned together with the schema's
   * own, so that a form shows all problems together. `raw` has not been validated by the schema: read it with care.
   */
  alsoCheck?(ctx: AppContext, raw: Record<string, unknown>): Promise<FieldPhrases> | FieldPhrases
  run(ctx: AppContext, input: z.output<Schema>): Promise<Result>
}

/** The names that an input may have, in any variant of it. */
type NamesOf<Input> = Input extends object ? keyof Input : never

/** The names that a value's type declares. An index signature has none: its names come from outside. */
type WrittenNames<Raw> = keyof { [Name in keyof Raw as string extends Name ? never : Name]: never }

/** An input in which a missing field may stay undefined instead of getting a default or being refused. */
type IsFilter<Schema extends z.ZodType> = undefined extends z.output<Schema>[keyof z.output<Schema>] ? true : false

/**
 * Refuses an unknown name in a filter at compile time: the schema would silently drop it, and all records would be found. Values are validated by the
 * schema, and so is outside input of type `unknown` or a record.
 */
type KnownNames<Raw, Schema extends z.ZodType> = Raw extends object
  ? string extends NamesOf<z.input<Schema>>
    ? unknown
    : unknown extends z.input<Schema>
      ? unknown
      : IsFilter<Schema> extends true
        ? { [Name in Exclude<WrittenNames<Raw>, NamesOf<z.input<Schema>>>]: never }
        : unknown
  : unknown

export interface UseCase<Schema extends z.ZodType = z.ZodType, Result = unknown> {
  <Raw>(ctx: AppContext, raw: Raw & KnownNames<Raw, Schema>): Promise<Result>
  readonly permission: Access
  readonly input: Schema
}

/**
 * One business action, the same behind every entry point: checks the permission table, validates all fields (not only the first wrong one), opens the
 * transaction, runs. Jobs enqueued inside are rows of the same transaction.
 */
export function useCase<Schema extends z.ZodType, Result>(
  definition: Definition<Schema, Result>,
): UseCase<Schema, Result> {
  const { permission, input, transaction = 'one', alsoCheck, run } = definition
  const call = async (ctx: AppContext, raw: unknown): Promise<Result> => {
    if (!can(ctx.actor, permission)) throw ctx.actor.kind === 'visitor' ? unauthenticated() : denied()
    const sent = withoutNulls(input, storable(raw ?? {}))
    const furtherProblems = alsoCheck ? await alsoCheck(ctx, asRecord(sent)) : {}
    const parsed = validate(input, sent, furtherProblems)
    return transaction === 'one' ? ctx.db.transaction(() => run(ctx, parsed)) : run(ctx, parsed)
  }
  return Object.assign(call, { permission, input })
}

/** Throws `invalid` with one message per field: the first problem of each field, all fields together. */
function validate<Schema extends z.ZodType>(
  schema: Schema,
  sent: unknown,
  furtherProblems: FieldPhrases,
): z.output<Schema> {
  const parsed = parseInput(schema, sent)
  const schemaProblems = 'fields' in parsed ? parsed.fields : {}
  // The schema's own first, in the order of the fields, as a summary lists them. If a field has two problems, the schema's is returned.
  const fields = { ...schemaProblems, ...furtherProblems, ...schemaProblems }
  if ('fields' in parsed || Object.keys(fields).length > 0) throw invalid(fields)
  return parsed.data
}

/** Applies `storableText` to every text of an input, from whatever entry point. */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (Array.isArray(value)) return value.map(storable)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, storable(part)]))
}

function asRecord(raw: unknown): Record<string, unknown> {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? (raw as Record<string, unknown>) : {}
}
