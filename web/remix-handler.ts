import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type ServerBuild } from '@remix-run/node'
import type { RequestHandler } from 'express'
import type { Services } from '#core/context.ts'
import { AppError, errorKinds, isAppError, problemPhrase, toAppError } from '#core/kernel/errors.ts'
import { english } from '#core/kernel/phrases.ts'
import type { Env } from '#core/platform/env.ts'
import { projectRoot } from '#core/platform/project-root.ts'
import type {} from './app/http/load-context.ts'
import type { PageCache } from './app/http/page-cache.ts'
import { frameIfStaff } from './app/http/staff-frame.ts'
import { remixAdapter } from './remix-adapter.ts'
import { byRouteSet, type MatchRoutes, pageCheck } from './route-sets.ts'

/** The Remix pages, with this process's services passed to every loader and action. */
export async function remixHandler(services: Services, env: Env): Promise<RequestHandler> {
  const { build: loaded, matchRoutes } = await loadBuild()
  const build = { ...loaded, routes: mapValues(loaded.routes, withErrorResponses) }
  const isSecure = env.appUrl.startsWith('https:')
  const isPage = pageCheck(build, matchRoutes)
  const handlerOf = (routesBuild: ServerBuild) =>
    remixAdapter(routesBuild, (request, response, finish) => ({
      services,
      requestId: response.locals.requestId as string,
      nonce: response.locals.nonce as string,
      ip: request.ip ?? '',
      isSecure,
      memo: new Map(),
      pages: response.locals.pages as PageCache,
      isPage,
      finish,
    }))
  const handlerFor = byRouteSet(build, matchRoutes, handlerOf)
  // The route manifest is requested for any address.
  const fullHandler = handlerOf(build)
  return (request, response, next) => {
    const handler = request.path === '/__manifest' ? fullHandler : (handlerFor(request.path) ?? fullHandler)
    return handler(request, response, next)
  }
}

async function loadBuild(): Promise<{ build: ServerBuild; matchRoutes: MatchRoutes }> {
  const file = join(projectRoot(), 'build', 'server', 'index.js')
  if (!existsSync(file))
    throw new AppError('unavailable', 'The pages are not built yet', { hint: 'Run: npm run build' })
  // React selects its production or development build when it is first loaded; a built page needs the production one everywhere.
  process.env.NODE_ENV ??= 'production'
  const build = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as ServerBuild
  const { matchRoutes } = await import('@remix-run/react')
  return { build, matchRoutes: matchRoutes as MatchRoutes }
}

type Route = ServerBuild['routes'][string]

/** Converts an AppError of any loader or action to the error page of its status, so that no route has to do it. */
function withErrorResponses(route: Route): Route {
  const { loader, action, default: page } = route.module
  const isPage = page !== undefined
  return {
    ...route,
    module: {
      ...route.module,
      ...(loader && { loader: (args: LoaderFunctionArgs) => respondToErrors(() => loader(args), args, isPage) }),
      ...(action && { action: (args: ActionFunctionArgs) => respondToErrors(() => action(args), args, isPage) }),
    },
  }
}

async function respondToErrors(
  work: () => unknown,
  { request, context }: LoaderFunctionArgs,
  isPage: boolean,
): Promise<unknown> {
  try {
    return await work()
  } catch (thrown) {
    // A thrown Response is not an error: a redirect, or a page's own data.
    if (!(thrown instanceof Error) || (request.signal.aborted && !isAppError(thrown))) throw thrown
    const error = toAppError(thrown)
    const { status, reported } = errorKinds[error.kind]
    const reference = context.requestId
    if (reported) context.services.log.error({ error: thrown, requestId: reference }, error.message)
    const { retryAfterSeconds } = error
    const headers = retryAfterSeconds === undefined ? undefined : { 'Retry-After': String(retryAfterSeconds) }
    if (!isPage && request.headers.get('Accept')?.includes('text/html'))
      throw plainResponse(error, status, { headers, reference: reported ? reference : null })
    const init = { status, ...(headers && { headers }) }
    // A page requested with an invalid filter has no form to show the error at.
    const message = problemPhrase(error)
    // Without a page Remix would replace thrown data with its own message.
    if (!isPage)
      throw Response.json({ message: english(message), hint: error.hint, ...(reported && { reference }) }, init)
    throw data(
      {
        message,
        hint: error.phrases.hint,
        reference,
        ...(status === 404 && { frame: await frameIfStaff(request, context) }),
      },
      init,
    )
  }
}

/** A refused download or list has no page: a browser that opens its address gets a line of text, a program JSON. */
function plainResponse(
  error: AppError,
  status: number,
  { headers, reference }: { headers: Record<string, string> | undefined; reference: string | null },
): Response {
  const lines = [english(problemPhrase(error)), error.hint, reference && `Reference: ${reference}`].filter(Boolean)
  return new Response(`${lines.join('\n')}\n`, {
    status,
    headers: { ...headers, 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  })
}

function mapValues<Value>(record: Record<string, Value>, change: (value: Value) => Value): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
}
