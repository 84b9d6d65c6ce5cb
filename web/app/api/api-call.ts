import type { z } from 'zod'
import type { Access, Permission } from '#core/access/permissions.ts'
import type { AppContext } from '#core/context.ts'
import type { UseCase } from '#core/use-case.ts'

/**
 * A value of the path. `id`: a number, anything else is a 404 as an unknown id is. `own`: the id of the logged-in user or of the
 * publisher it acts for; anybody else's is a 404. `text`: as it stands.
 */
interface PathValue {
  is: 'id' | 'own' | 'text'
  /** The use-case's field it fills; none for an `own` id, which the use-case knows from the actor. */
  field?: string
}

/** A file that is sent as it is made. */
interface CsvAnswer {
  fileName: string
  /** Where it is not UTF-8. */
  charset?: string
  chunks: AsyncIterable<string | Buffer>
}

/** A JSON list that is sent as it is read, however long it is. */
interface RowsAnswer {
  chunks: AsyncIterable<string>
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
  /** The body says what is looked for: a field it does not know is refused, as one of `query` is. */
  isFilter?: true
  /** Fields of old clients that would be dangerous to read. They are not read, and that one came is logged: its name, not its value. */
  unread?: readonly string[]
  /** What a field's values are called on the wire, and what the use-case calls them. */
  values?: Record<string, Record<string, string>>
  /**
   * A CSV of any length: the field `file` of a multipart body, handed to the use-case as it comes (`fileName`, `chunks`), with the other
   * fields of `body` in front of it; or a JSON body with the rows.
   */
  takesCsv?: true
  /** The body may be a form (`application/x-www-form-urlencoded`), as OAuth sends it, beside JSON. */
  isForm?: true
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
  /** A result that is a refusal, as the body of a 400; null for any other. For protocols whose errors have a shape of their own. */
  refusal?(result: Result): { message: string; [name: string]: string } | null
}

interface CsvCall<Result> extends CallBase {
  useCase: UseCase<z.ZodType, Result>
  response: 'csv'
  answer(result: Result): CsvAnswer
}

interface RowsCall<Result> extends CallBase {
  useCase: UseCase<z.ZodType, Result>
  /** The list's shape; every row goes through it. */
  response: z.ZodArray
  /** The rows in batches, in the names of the wire. Whoever takes the first one has downloaded the list. */
  stream(result: Result): AsyncIterable<readonly unknown[]>
}

type Method = 'GET' | 'POST' | 'DELETE'

/** One row of an API table, as the router, the OpenAPI document and the tests read it. */
export interface ApiCall extends Omit<CallBase, 'permission'> {
  method: Method
  permission: Access
  /** What the use-case behind it accepts, in its own names. */
  input: z.ZodType
  response: z.ZodType | 'csv'
  /** A list of any length, sent while it is read. */
  isStreamed: boolean
  /** Its 400 has fields of another protocol beside the message. */
  hasOwnRefusals: boolean
  run(
    ctx: AppContext,
    input: Record<string, unknown>,
  ): Promise<{ json: unknown; status?: 400 } | { csv: CsvAnswer } | { rows: RowsAnswer }>
}

export interface ApiTable {
  /** The first part of the path, after /api. */
  prefix: string
  calls: readonly ApiCall[]
}

type AnyCall<Result> = JsonCall<Result> | CsvCall<Result> | RowsCall<Result>

function call<Result>(method: Method, definition: AnyCall<Result>): ApiCall {
  const { useCase: perform } = definition
  return {
    ...definition,
    method,
    permission: definition.permission ?? perform.permission,
    input: perform.input,
    isStreamed: 'stream' in definition,
    hasOwnRefusals: 'refusal' in definition,
    async run(ctx, input) {
      const result = await perform(ctx, { ...input, ...definition.fixed })
      if ('stream' in definition) return { rows: { chunks: jsonRows(definition, definition.stream(result)) } }
      if (definition.response === 'csv') return { csv: definition.answer(result) }
      const refusal = 'refusal' in definition ? definition.refusal?.(result) : null
      if (refusal) return { json: refusal, status: 400 }
      return { json: definition.response.parse(definition.answer ? definition.answer(result) : result) }
    },
  }
}

async function* jsonRows(
  { response }: { response: z.ZodArray },
  batches: AsyncIterable<readonly unknown[]>,
): AsyncGenerator<string> {
  let isFirst = true
  for await (const batch of batches) {
    if (batch.length === 0) continue
    const rows = JSON.stringify(response.parse(batch)).slice(1, -1)
    yield `${isFirst ? '[' : ',\n'}${rows}`
    isFirst = false
  }
  yield isFirst ? '[]' : ']'
}

export function get<Result>(definition: AnyCall<Result>): ApiCall {
  return call('GET', definition)
}

export function post<Result>(definition: AnyCall<Result>): ApiCall {
  return call('POST', definition)
}

export function del<Result>(definition: JsonCall<Result>): ApiCall {
  return call('DELETE', definition)
}
