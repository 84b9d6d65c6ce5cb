import { growthPart } from '#core/analytics/growth-part.ts'
import { growthPartNames } from '#core/analytics/growth-parts.ts'
import { revenue } from '#core/analytics/revenue.query.ts'
import { storefrontViews } from '#core/analytics/storefront-views.query.ts'
import { FigureYear, subscriberFigures } from '#core/analytics/subscriber-figures.query.ts'
import type { AppContext } from '#core/context.ts'
import { isAppError, notFound } from '#core/kernel/errors.ts'
import { listParams } from './list-params.ts'
import { idParam } from './param-id.ts'
import { withTimeout } from './with-timeout.ts'

/** A part of the dashboard in a page: loaded, failed, or pending. The page fetches a pending one by itself, a failed one when the user retries. */
export type LoadedFigures<Figures> =
  | { state: 'loaded'; figures: Figures; at: Date }
  | { state: 'failed' | 'pending'; figures: null; at: null }

/** The dashboard query of an address. A wrong year is left out. */
export function figuresQuery(request: Request) {
  const { publication, year } = listParams(request)
  return {
    publicationId: publication ? idParam(publication, 'The publication') : undefined,
    year: FigureYear.safeParse(year).data,
  }
}
type FiguresQuery = ReturnType<typeof figuresQuery>

/** The parts of the dashboard, each loaded on its own: one that fails does not affect the others. */
export const figureParts = {
  subscribers: (ctx: AppContext, { publicationId, year }: FiguresQuery) =>
    subscriberFigures(ctx, { publicationId, year }),
  revenue: (ctx: AppContext, { publicationId }: FiguresQuery) => revenue(ctx, { publicationId }),
  views: (ctx: AppContext, { publicationId }: FiguresQuery) => storefrontViews(ctx, { publicationId }),
}

/** How long a page waits for its figures, in milliseconds; then it is sent without them, and fetches them. */
const timeoutMs = 400

const pending = { state: 'pending', figures: null, at: null } as const

/** The figures, or `failed` (logged), or `pending` if they take longer than a page should wait. */
export function loadFiguresWithTimeout<Figures>(
  ctx: AppContext,
  part: string,
  figures: Promise<Figures>,
): Promise<LoadedFigures<Figures>> {
  return withTimeout(loadFigures(ctx, part, figures), timeoutMs, pending)
}

/** The figures without a time limit; `failed` on an error. Not found and forbidden are thrown as usual. */
export async function loadFigures<Figures>(
  ctx: AppContext,
  part: string,
  figures: Promise<Figures>,
): Promise<LoadedFigures<Figures>> {
  const at = ctx.now()
  try {
    return { state: 'loaded', figures: await figures, at }
  } catch (error) {
    if (isAppError(error)) throw error
    ctx.log.error({ error, part }, 'a part of the dashboard failed')
    return { state: 'failed', figures: null, at: null }
  }
}

/** One part by its name, for a tile that is fetched on its own; parts of the growth page have the prefix `growth-`. */
export function figuresOf(
  ctx: AppContext,
  part: string | undefined,
  query: FiguresQuery,
): Promise<LoadedFigures<unknown>> {
  const growth = growthPartNames.find((name) => `growth-${name}` === part)
  if (growth) return loadFigures(ctx, growth, growthPart(ctx, { part: growth, publicationId: query.publicationId }))
  if (part === undefined || !Object.hasOwn(figureParts, part)) throw notFound('This figure')
  const figures: Promise<unknown> = figureParts[part as keyof typeof figureParts](ctx, query)
  return loadFigures(ctx, part, figures)
}
