import type { z } from 'zod'
import type { Access, Permission } from '#core/access/permissions.ts'
import type { AppContext } from '#core/context.ts'
import type { UseCase } from '#core/use-case.ts'

/**
 * A value of the path. `id`: a number, anything else is a 404 as an unknown id is. `own`: the id of the signed-in user or of the
 * publisher it acts for; anybody else's is a 404. `text`: as it stands.
 */
interface PathValue {
  is: 'id' | 'own' | 'text'
  /** The use-case's field it fills; none for an `own` id, which the use-case knows from the actor. */
  field?: string
}

/** A file that is sent as it is made. */
export interface CsvAnswer {
  fileName: string
  chunks: AsyncIterable<string | Buffer>
}

interface CallBase {
  /** As the specification writes it, with `{name}` for the values of the path; relative to the table's prefix. */
  path: string
  summary: string
  /** Only where the API is narrower than the use-case behind it. */
  permission?: Permission
  params?: Record<string, PathValue>
  /** Names on the wire and the use-case's fields they fill (`billing.city`). What is not named here never reaches the use-case. */
  query?: Record<string, string>
  body?: Record<string, string>
  /** Fields of old clients that would be dangerous to read. They are not read, and that one came is logged: its name, not its value. */
  unread?: readonly string[]
  /** What a field's values are called on the wire, and what the use-case calls them. */
  values?: Record<string, Record<string, string>>
  /** Files of a multipart body, in place of a JSON one. */
  files?: Record<string, string>
  /**
   * Another program's signed message: the use-case gets the body as text and the headers (`body`, `headers`), and judges the signature.
   * Its Authorization header is not ours to read.
   */
  isSigned?: true
  /** Fields that this call settles and no caller can. */
  fixed?: Record<string, unknown>
  /** A GET that changes data, kept for old clients beside its POST. */
  changes?: true
  status?: 200 | 201
  /** Statuses besides those every call may answer. */
  alsoAnswers?: readonly (402 | 403 | 404 | 409 | 410 | 422)[]
  /** What old clients look for in every error of this call, beside what errors say everywhere. */
  alsoInErrors?: Readonly<Record<string, string>>
}

interface JsonCall<Result> extends CallBase {
  useCase: UseCase<z.ZodType, Result>
  /** The answer's shape. Every answer goes through it: a field it does not name cannot leave. */
  response: z.ZodType
  /** The use-case's result in the names of the wire. */
  answer?(result: Result): unknown
}

interface CsvCall<Result> extends CallBase {
  useCase: UseCase<z.ZodType, Result>
  response: 'csv'
  answer(result: Result): CsvAnswer
}

type Method = 'GET' | 'POST' | 'DELETE'

/** One row of an API table, as the router, the OpenAPI document and the tests read it. */
export interface ApiCall extends Omit<CallBase, 'permission'> {
  method: Method
  permission: Access
  /** What the use-case behind it accepts, in its own names. */
  input: z.ZodType
  response: z.ZodType | 'csv'
  run(ctx: AppContext, input: Record<string, unknown>): Promise<{ json: unknown } | { csv: CsvAnswer }>
}

export interface ApiTable {
  /** The first part of the path, after /api. */
  prefix: string
  calls: readonly ApiCall[]
}

function call<Result>(method: Method, definition: JsonCall<Result> | CsvCall<Result>): ApiCall {
  const { useCase: perform } = definition
  return {
    ...definition,
    method,
    permission: definition.permission ?? perform.permission,
    input: perform.input,
    async run(ctx, input) {
      const result = await perform(ctx, { ...input, ...definition.fixed })
      if (definition.response === 'csv') return { csv: definition.answer(result) }
      return { json: definition.response.parse(definition.answer ? definition.answer(result) : result) }
    },
  }
}

export function get<Result>(definition: JsonCall<Result> | CsvCall<Result>): ApiCall {
  return call('GET', definition)
}

export function post<Result>(definition: JsonCall<Result> | CsvCall<Result>): ApiCall {
  return call('POST', definition)
}

export function del<Result>(definition: JsonCall<Result>): ApiCall {
  return call('DELETE', definition)
}
