import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createRequestHandler } from '@remix-run/express'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type ServerBuild } from '@remix-run/node'
import type { RequestHandler } from 'express'
import type { Services } from '#core/context.ts'
import { AppError, errorKinds, isAppError } from '#core/kernel/errors.ts'
import { type Env, projectRoot } from '#core/platform/env.ts'
import type {} from './app/http/load-context.ts'
import type { PageCache } from './app/http/page-cache.ts'

/** The pages: the Remix build, with this process's services handed to every loader and action. */
export async function remixHandler(services: Services, env: Env): Promise<RequestHandler> {
  const build = await loadBuild()
  const isSecure = env.appUrl.startsWith('https:')
  return createRequestHandler({
    build: { ...build, routes: mapValues(build.routes, withErrorAnswers) },
    mode: 'production',
    getLoadContext: (request, response) => ({
      services,
      requestId: response.locals.requestId as string,
      nonce: response.locals.nonce as string,
      address: request.ip ?? '',
      isSecure,
      memo: new Map(),
      pages: response.locals.pages as PageCache,
    }),
  })
}

async function loadBuild(): Promise<ServerBuild> {
  const file = join(projectRoot(), 'build', 'server', 'index.js')
  if (!existsSync(file))
    throw new AppError('unavailable', 'The pages are not built yet', { hint: 'Run: npm run build' })
  // React picks its fast or its debugging half when it is first loaded; a built page wants the fast one wherever it runs.
  process.env.NODE_ENV ??= 'production'
  return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as ServerBuild
}

type Route = ServerBuild['routes'][string]

/** An AppError that leaves a loader or an action becomes the error page of its status; here once, so that no route can forget it. */
function withErrorAnswers(route: Route): Route {
  const { loader, action } = route.module
  return {
    ...route,
    module: {
      ...route.module,
      ...(loader && { loader: (args: LoaderFunctionArgs) => answered(() => loader(args), args) }),
      ...(action && { action: (args: ActionFunctionArgs) => answered(() => action(args), args) }),
    },
  }
}

async function answered(work: () => unknown, { context }: LoaderFunctionArgs): Promise<unknown> {
  try {
    return await work()
  } catch (error) {
    if (!isAppError(error)) throw error
    const { status, reported } = errorKinds[error.kind]
    if (reported) context.services.log.error({ error, requestId: context.requestId }, error.message)
    const wait = error.retryAfterSeconds
    // A page that was asked for with a wrong filter has no form to say it on.
    const { phrases } = error
    const message = error.kind === 'invalid' ? (Object.values(phrases.fields)[0] ?? phrases.message) : phrases.message
    throw data(
      { message, hint: phrases.hint, reference: context.requestId },
      { status, ...(wait === undefined ? {} : { headers: { 'Retry-After': String(wait) } }) },
    )
  }
}

function mapValues<Value>(record: Record<string, Value>, change: (value: Value) => Value): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
}
