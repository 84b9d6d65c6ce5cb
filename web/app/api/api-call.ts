import type { z } from 'zod'
import type { Access, Permission } from '#core/access/permissions.ts'
import type { AppContext } from '#core/context.ts'
import type { UseCase } from '#core/use-case.ts'

/**
 * A path parameter. `id`: a number; anything else is a 404, like an unknown id. `own`: the id of the logged-in user or of the publisher it
 * acts for; any other id is a 404. `text`: any text.
 */
interface PathValue {
  is: 'id' | 'own' | 'text'
  /** The use case's field it fills; none for an `own` id, which the use case takes from the actor. */
  field?: string
}

/** A file streamed as it is generated. */
interface CsvResponse {
  fileName: string
  /** Set where the file is not UTF-8. */
  charset?: string
  chunks: AsyncIterable<string | Buffer>
}

/** A JSON list of any length, streamed as it is read. */
interface RowsResponse {
  chunks: AsyncIterable<string>
}

/** The path parameter of calls about one publication. */
export const ofPublication = { pubId: { is: 'id', field: 'publicationId' } } as const

/** The path parameter of calls with the token of an emailed link. */
export const byToken = { token: { is: 'text', field: 'token' } } as const

interface CallBase {
  /** As in the specification, with `{name}` for path parameters; relative to the table's prefix. */
  path: string
  summary: string
  /** Only where the API is stricter than its use case. */
  permission?: Permission
  params?: Record<string, PathValue>
  /** Request field names and the use case's fields they fill (`billing.city`). Fields not listed here never reach the use case. */
  query?: Record<string, string>
  body?: Record<string, string>
  /** The columns by which a list can be sorted; any other is refused. Without it the use case decides. */
  sorts?: readonly string[]
  /** The body is a search: unknown fields are refused, as in `query`. */
  isFilter?: true
  /** Fields that old clients send and that would be unsafe to use. They are ignored; their names are logged, not their values. */
  ignored?: readonly string[]
  /** Enum values by field: the API's name for each and the use case's. */
  values?: Record<string, Record<string, string>>
  /**
   * A CSV of any length: the field `file` of a multipart body, passed to the use case as a stream (`fileName`, `chunks`) with the fields of
   * `body` before it; or a JSON body with the rows.
   */
  takesCsv?: true
  /** The body may also be a form (`application/x-www-form-urlencoded`), which OAuth uses. */
  isForm?: true
  /** Files of a multipart body, instead of a JSON body. */
  files?: Record<string, string>
  /**
   * Another program's signed message: the use case gets the raw body and the headers (`body`, `headers`) and verifies the signature. Its
   * Authorization header is ignored.
   */
  isSigned?: true
  /** Fields that this call sets itself; the caller cannot. */
  fixed?: Record<string, unknown>
  /** A GET that changes data, kept for old clients in addition to its POST. */
  changes?: true
  status?: 200 | 201
  /** Statuses in addition to those that every call may return. */
  extraStatuses?: readonly (402 | 403 | 404 | 409 | 410 | 422)[]
  /** Fields that old clients need in every error of this call, in addition to the usual ones. */
  alsoInErrors?: Readonly<Record<string, string>>
}

interface JsonCall<Result> extends CallBase {
  useCase: UseCase<z.ZodType, Result>
  /** The response schema. Every response is parsed with it: fields it does not list are dropped. */
  response: z.ZodType
  /** Converts the use case's result to the API's field names. */
  toResponse?(result: Result): unknown
  /** The body of a 400 if the result is a refusal, else null. For protocols that define their own error format. */
  refusal?(result: Result): { message: string; [name: string]: string } | null
}

interface CsvCall<Result> extends CallBase {
  useCase: UseCase<z.ZodType, Result>
  response: 'csv'
  toResponse(result: Result): CsvResponse
}

interface RowsCall<Result> extends CallBase {
  useCase: UseCase<z.ZodType, Result>
  /** The schema of the list; every row is parsed with it. */
  response: z.ZodArray
  /** The rows in batches, in the API's field names. Reading the first batch counts as a download. */
  stream(result: Result): AsyncIterable<readonly unknown[]>
}

type Method = 'GET' | 'POST' | 'DELETE'

/** One row of an API table, as the router, the OpenAPI document and the tests use it. */
export interface ApiCall extends Omit<CallBase, 'permission'> {
  method: Method
  permission: Access
  /** The input schema of the use case, in its own field names. */
  input: z.ZodType
  response: z.ZodType | 'csv'
  /** A list of any length, streamed. */
  isStreamed: boolean
  /** Its 400 has the error fields of another protocol in addition to the message. */
  hasOwnRefusals: boolean
  run(
    ctx: AppContext,
    input: Record<string, unknown>,
  ): Promise<{ json: unknown; status?: 400 } | { csv: CsvResponse } | { rows: RowsResponse }>
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
      if (definition.response === 'csv') return { csv: definition.toResponse(result) }
      const refusal = 'refusal' in definition ? definition.refusal?.(result) : null
      if (refusal) return { json: refusal, status: 400 }
      return { json: definition.response.parse(definition.toResponse ? definition.toResponse(result) : result) }
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
