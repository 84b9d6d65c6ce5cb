import type { z } from 'zod'
import { type Access, can } from './access/permissions.ts'
import type { AppContext } from './context.ts'
import { denied, invalid, signedOut } from './kernel/errors.ts'
import { parseInput, withoutNulls } from './kernel/parse-input.ts'
import type { FieldPhrases } from './kernel/phrases.ts'
import { storableText } from './kernel/storable-text.ts'

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
   * Further field problems, of rules that depend on settings or on what is stored (a taken email). They are told together with the
   * schema's own, so that a form says everything at once. `raw` has not passed the schema: look at it with care.
   */
  alsoCheck?(ctx: AppContext, raw: Record<string, unknown>): Promise<FieldPhrases> | FieldPhrases
  run(ctx: AppContext, input: z.output<Schema>): Promise<Result>
}

/** The names that an input may hold, of every variant of it. */
type NamesOf<Input> = Input extends object ? keyof Input : never

/** An input of which nothing need be said, and where what is not said stays open instead of getting a default. */
type IsFilter<Schema extends z.ZodType> =
  Record<never, never> extends z.input<Schema>
    ? undefined extends z.output<Schema>[keyof z.output<Schema>]
      ? true
      : false
    : false

/**
 * Refuses an unknown name in a filter when it is compiled: the schema would drop it without a word, and everything would be found. Values
 * are the schema's to judge, and so is what comes from outside as `unknown` or as a record.
 */
type KnownNames<Raw, Schema extends z.ZodType> = Raw extends object
  ? string extends keyof Raw | NamesOf<z.input<Schema>>
    ? unknown
    : unknown extends z.input<Schema>
      ? unknown
      : IsFilter<Schema> extends true
        ? { [Name in Exclude<keyof Raw, NamesOf<z.input<Schema>>>]: never }
        : unknown
  : unknown

export interface UseCase<Schema extends z.ZodType = z.ZodType, Result = unknown> {
  <Raw>(ctx: AppContext, raw: Raw & KnownNames<Raw, Schema>): Promise<Result>
  readonly permission: Access
  readonly input: Schema
}

/**
 * One business action, the same behind every entry point: asks the permission table, validates all fields (not the first
 * wrong one), opens the transaction, runs. Jobs queued inside are rows of the same transaction.
 */
export function useCase<Schema extends z.ZodType, Result>(
  definition: Definition<Schema, Result>,
): UseCase<Schema, Result> {
  const { permission, input, transaction = 'one', alsoCheck, run } = definition
  const call = async (ctx: AppContext, raw: unknown): Promise<Result> => {
    if (!can(ctx.actor, permission)) throw ctx.actor.kind === 'visitor' ? signedOut() : denied()
    const sent = withoutNulls(input, storable(raw ?? {}))
    const more = alsoCheck ? await alsoCheck(ctx, asRecord(sent)) : {}
    const parsed = validate(input, sent, more)
    return transaction === 'one' ? ctx.db.transaction(() => run(ctx, parsed)) : run(ctx, parsed)
  }
  return Object.assign(call, { permission, input })
}

/** Throws `invalid` with one message per field: the first problem of each field, all fields at once. */
function validate<Schema extends z.ZodType>(schema: Schema, sent: unknown, more: FieldPhrases): z.output<Schema> {
  const parsed = parseInput(schema, sent)
  const own = 'fields' in parsed ? parsed.fields : {}
  // The schema's own first, in the order of the fields: a summary follows it. Of two problems of a field its own is told.
  const fields = { ...own, ...more, ...own }
  if ('fields' in parsed || Object.keys(fields).length > 0) throw invalid(fields)
  return parsed.data
}

/** Every text of an input by the rule of `storableText`, wherever an entry point was given it. */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (Array.isArray(value)) return value.map(storable)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, storable(part)]))
}

function asRecord(raw: unknown): Record<string, unknown> {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? (raw as Record<string, unknown>) : {}
}
