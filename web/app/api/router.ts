import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import express, { type IRoute, type NextFunction, type Request, type Response, type Router } from 'express'
import { type Actor, actingPublisherId, visitor } from '#core/access/actor.ts'
import { can } from '#core/access/permissions.ts'
import { contextFor, type Services } from '#core/context.ts'
import { AppError, denied, invalid, notFound, unauthenticated } from '#core/kernel/errors.ts'
import { inputText } from '#core/kernel/input-values.ts'
import { nearest, quoted } from '#core/kernel/text-format.ts'
import { isMultipart, openForm } from '../http/multipart.ts'
import type { ApiCall } from './api-call.ts'
import { apiTables } from './api-tables.ts'
import { callerOf } from './caller.ts'
import { checkPaging } from './check-paging.ts'
import { docsFiles, docsPage } from './docs-page.ts'
import { multipartBody } from './multipart-body.ts'
import { openApiDocument } from './openapi.ts'
import { sendError } from './send-error.ts'
import { signedBody } from './signed-body.ts'

const parseBody = express.json({ limit: '1mb', type: () => true })
const parseForm = express.urlencoded({ limit: '100kb', extended: false })
/** The limit for rows of readers as JSON: larger sets are uploaded as a file. */
const parseRows = express.json({ limit: '32mb', type: () => true })

/**
 * The staff and storefront API, from the tables. Cookies are ignored: a call is authenticated by its Authorization header only, so other
 * sites cannot forge one (CSRF), and no origin may read responses (CORS).
 */
export function apiRouter(services: Services): Router {
  const router = express.Router()
  router.use((_req, res, next) => {
    if (!res.getHeader('x-request-id')) res.setHeader('x-request-id', randomUUID())
    res.setHeader('Cache-Control', 'no-store')
    res.setHeader('X-Content-Type-Options', 'nosniff')
    next()
  })
  addDocuments(router, services)
  for (const [path, calls] of callsByPath()) {
    const route = router.route(path.replaceAll(/\{(\w+)\}/g, ':$1'))
    for (const call of calls) {
      route[verbs[call.method]]((req: Request, res: Response) => {
        respond(services, call, req, res).catch((error: unknown) => {
          // Too late for an error response: destroying the connection tells the caller that the file is incomplete.
          if (res.headersSent) res.destroy()
          else sendError(res, error, services.log, wireNamesOf(call), call.alsoInErrors)
        })
      })
    }
    refuseOtherMethods(
      route,
      calls.map(({ method }) => method),
    )
  }
  router.use(() => {
    throw notFound('This call', 'See /api/docs for all calls.')
  })
  router.use((error: unknown, _req: Request, res: Response, _next: NextFunction) => sendError(res, error, services.log))
  return router
}

const verbs = { GET: 'get', POST: 'post', DELETE: 'delete' } as const

/** Paths without parameters first, so that `/order/downloadallorders` is never taken for an id. */
function callsByPath(): [string, ApiCall[]][] {
  const paths = new Map<string, ApiCall[]>()
  for (const { prefix, calls } of apiTables) {
    for (const call of calls) {
      // The specification ends some paths with a slash; Express treats both as the same, so they share a route.
      const path = `/${prefix}${call.path}`.replace(/\/$/, '')
      paths.set(path, [...(paths.get(path) ?? []), call])
    }
  }
  return [...paths].sort(([a], [b]) => a.split('{').length - b.split('{').length)
}

function refuseOtherMethods(route: IRoute, methods: string[]): void {
  const allowed = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
  route.all((req, res) => {
    res.setHeader('Allow', allowed)
    if (req.method === 'OPTIONS') res.status(204).end()
    else res.status(405).json({ message: `This call accepts ${allowed}, not ${req.method}` })
  })
}

function addDocuments(router: Router, services: Services): void {
  // Takes half a second: generated at the first request and then cached, because it never changes.
  let cached: ReturnType<typeof openApiDocument> | undefined
  const document = () => (cached ??= openApiDocument(apiTables, services.settings.appUrl))
  const documented = router.route('/openapi.json' as string).get((_req, res) => void res.json(document()))
  refuseOtherMethods(documented, ['GET'])
  const page = router.route('/docs' as string).get((_req, res) => {
    res.type('html').send(docsPage(document(), String(res.locals.nonce ?? '')))
  })
  refuseOtherMethods(page, ['GET'])
  for (const [name, path] of Object.entries(docsFiles)) {
    const file = router.route(`/docs/${name}` as string).get((_req, res) => {
      res.setHeader('Cache-Control', 'public, max-age=3600')
      res.sendFile(path)
    })
    refuseOtherMethods(file, ['GET'])
  }
}

async function respond(services: Services, call: ApiCall, req: Request, res: Response): Promise<void> {
  const header = call.isSigned ? undefined : req.get('authorization')?.trim()
  const actor = header ? await callerOf(services, header) : visitor
  if (!can(actor, call.permission)) throw actor.kind === 'visitor' ? unauthenticated() : denied()
  const ctx = contextFor(services, actor, {
    entryPoint: 'api',
    requestId: String(res.getHeader('x-request-id')),
    ...(req.ip ? { address: req.ip } : {}),
    userAgent: (req.get('user-agent') ?? '').slice(0, 1000),
    acceptLanguage: req.get('accept-language') ?? '',
    proxyCountry: (services.settings.countryHeader && req.get(services.settings.countryHeader)) ?? '',
  })
  if (call.query) {
    refuseUnknown(call.query, req.query)
    checkPaging(call.query, req.query, call)
  }
  const csv = call.takesCsv ? await csvBody(req, res) : null
  const result = await call.run(ctx, {
    ...pathValues(call, req, actor),
    ...useCaseFields(call.query, req.query),
    ...(csv ? { ...useCaseFields(call.body, csv.fields), ...csv.file } : {}),
    ...(call.body && !csv
      ? useCaseFields(call.body, withUseCaseValues(call, await readBody(services, call, req, res)))
      : {}),
    ...(call.files ? useCaseFields(call.files, await multipartBody(req)) : {}),
    ...(call.isSigned ? await signedBody(req, res) : {}),
  })
  if ('csv' in result) await sendChunks(result.csv, 'text/csv', req, res)
  else if ('rows' in result) await sendChunks(result.rows, 'application/json', req, res)
  else res.status(result.status ?? call.status ?? 200).json(result.json)
}

/** The CSV of a multipart body as a stream, and the fields before it; null for any other body. */
async function csvBody(req: Request, res: Response) {
  const contentType = req.get('content-type') ?? ''
  if (!isMultipart(contentType)) return null
  // Breaking out of the loop would close the connection before the client reads the response.
  const { fields, file, discardRest } = await openForm(contentType, req.iterator({ destroyOnReturn: false }))
  // A refused body is still read to its end, so that the client gets the response.
  res.once('finish', () => {
    discardRest()
      .catch(() => {})
      .finally(() => req.resume())
  })
  const announcedBytes = Number(req.get('content-length') ?? 0)
  return { fields, file: file ? { ...file, announcedBytes } : { fileName: '', chunks: Readable.from([]) } }
}

function pathValues(call: ApiCall, req: Request, actor: Actor): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [name, { is, field }] of Object.entries(call.params ?? {})) {
    const text = req.params[name] ?? ''
    if (is !== 'text' && !/^\d{1,15}$/.test(text)) throw notFound(quoted(text))
    const isOwn = actor.kind === 'staff' && [actor.userId, actingPublisherId(actor)].includes(Number(text))
    if (is === 'own' && !isOwn) throw notFound(quoted(text))
    if (field) values[field] = is === 'text' ? text : Number(text)
  }
  return values
}

/** The allowed fields of a request under the use case's names (`billing.city` is nested); missing fields stay missing. */
function useCaseFields(names: Record<string, string> | undefined, source: object): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [wire, path] of Object.entries(names ?? {})) {
    if (!Object.hasOwn(source, wire)) continue
    const steps = path.split('.')
    const last = steps.pop() ?? path
    let target = values
    for (const step of steps) {
      target[step] ??= {}
      target = target[step] as Record<string, unknown>
    }
    target[last] = source[wire as keyof typeof source]
  }
  return values
}

/** Refuses unknown filters: ignoring one would return records that were not requested. */
function refuseUnknown(names: Record<string, string>, sent: object): void {
  const problems = Object.keys(sent)
    .filter((name) => !Object.hasOwn(names, name))
    .map((name) => {
      const suggestion = nearest(name.slice(0, 100), Object.keys(names))
      return [name, suggestion ? `There is no such parameter. Did you mean “${suggestion}”?` : unknownFilter(names)]
    })
  if (problems.length > 0) throw invalid(Object.fromEntries(problems))
}

const unknownFilter = (names: object) =>
  `There is no such parameter. Its parameters are ${Object.keys(names).join(', ')}.`

async function readBody({ log }: Services, call: ApiCall, req: Request, res: Response): Promise<object> {
  const isForm = call.isForm && req.is('application/x-www-form-urlencoded')
  const body = await bodyOf(req, res, isForm ? parseForm : call.takesCsv ? parseRows : parseBody)
  const fields = (call.ignored ?? []).filter((name) => Object.hasOwn(body, name))
  if (call.isFilter) {
    refuseUnknown(call.body ?? {}, body)
    checkPaging(call.body ?? {}, body, call)
  }
  if (fields.length > 0)
    log.warn(
      { fields, call: call.path, requestId: res.getHeader('x-request-id') },
      'the request has fields that are ignored',
    )
  return body
}

/** Replaces the API's enum values in a body by those of the use case. Other values stay unchanged: the schema checks them. */
function withUseCaseValues({ values }: ApiCall, body: object): object {
  if (!values) return body
  const renamed = Object.entries(values).flatMap(([name, useCaseValues]) => {
    const sent = inputText((body as Record<string, unknown>)[name])
    return sent !== null && Object.hasOwn(useCaseValues, sent) ? [[name, useCaseValues[sent]]] : []
  })
  return { ...body, ...Object.fromEntries(renamed) }
}

function wireNamesOf(call: ApiCall): Record<string, string> {
  const inPath = Object.entries(call.params ?? {}).flatMap(([wire, { field }]) => (field ? [[wire, field]] : []))
  return Object.fromEntries(
    [...inPath, ...Object.entries({ ...call.query, ...call.body, ...call.files })].map(([wire, field]) => [
      field,
      wire,
    ]),
  )
}

/** Parses the body. It is called after the caller's permission has been checked. */
async function bodyOf(req: Request, res: Response, parse: typeof parseBody | typeof parseForm): Promise<object> {
  await new Promise<void>((resolve, reject) =>
    parse(req, res, (error?: unknown) => (error ? reject(error) : resolve())),
  )
  const body: unknown = req.body ?? {}
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError('malformed', 'The body must be a JSON object')
  }
  return body
}

/** Streams a response. The first chunk is awaited before the headers are sent, so that an early failure is still a proper error. */
async function sendChunks(
  {
    chunks,
    fileName,
    charset = 'utf-8',
  }: { chunks: AsyncIterable<string | Buffer>; fileName?: string; charset?: string },
  type: string,
  req: Request,
  res: Response,
): Promise<void> {
  const iterator = chunks[Symbol.asyncIterator]()
  // A HEAD request reads no chunk: nothing is downloaded and nothing is logged as a download.
  const first = req.method === 'HEAD' ? undefined : await iterator.next()
  if (fileName) res.attachment(fileName)
  res.setHeader('Content-Type', `${type}; charset=${charset}`)
  if (!first) {
    res.end()
    return
  }
  async function* all() {
    for (let step = first; step && !step.done; step = await iterator.next()) yield step.value
  }
  try {
    await pipeline(Readable.from(all()), res)
  } finally {
    await iterator.return?.()
  }
}
