import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type RequestHandler, Router } from 'express'
import { visitor } from '#core/access/actor.ts'
import { type AppContext, contextFor, type Services } from '#core/context.ts'
import { listSitemapStorefronts } from '#core/publications/list-sitemap-storefronts.query.ts'
import { maxPublicationId } from '#core/publications/max-publication-id.query.ts'

/** A file may list 50,000 addresses; a title has at most two, and never moves to another file. */
const titlesPerFile = 25_000

/** The product's own public pages, listed before the storefronts. */
const ownPages = ['/', '/howto', '/contactme', '/privacy']

const head = '<?xml version="1.0" encoding="UTF-8"?>\n'
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

/**
 * `/sitemap.xml` lists the product's own pages and every open storefront for search engines, with the time of the last change; with many
 * titles it is an index of files, `/sitemap/1.xml` and so on. It is streamed while the titles are read.
 */
export function sitemap(services: Services, { titles = titlesPerFile } = {}): Router {
  const { appUrl } = services.settings
  // If sign-up is off, its page only states this and is not listed.
  const pages = services.planBilling ? [...ownPages, '/signup'] : ownPages
  const ctxOf = (requestId: string) => contextFor(services, visitor, { entryPoint: 'web', requestId })

  async function* file(ctx: AppContext, number: number): AsyncGenerator<string> {
    const upTo = number * titles
    let after = upTo - titles
    yield `${head}<urlset ${namespace}>\n`
    if (number === 1) yield pages.map((path) => `<url><loc>${appUrl}${path}</loc></url>\n`).join('')
    for (;;) {
      const shops = await listSitemapStorefronts(ctx, { after, upTo })
      yield shops
        .map(({ urlKey, changedAt, issuesChangedAt }) => {
          const shop = urlEntry(`${appUrl}/${urlKey}`, changedAt)
          return issuesChangedAt ? shop + urlEntry(`${appUrl}/${urlKey}/issues`, issuesChangedAt) : shop
        })
        .join('')
      const last = shops.at(-1)
      if (!last) break
      after = last.id
    }
    yield '</urlset>\n'
  }

  function* index(files: number): Generator<string> {
    yield `${head}<sitemapindex ${namespace}>\n`
    for (let number = 1; number <= files; number++)
      yield `<sitemap><loc>${appUrl}/sitemap/${number}.xml</loc></sitemap>\n`
    yield '</sitemapindex>\n'
  }

  const respond =
    (
      textOf: (ctx: AppContext, files: number, part: number) => Iterable<string> | AsyncIterable<string> | null,
    ): RequestHandler =>
    async (request, response, next) => {
      try {
        const ctx = ctxOf(response.locals.requestId as string)
        const files = Math.max(1, Math.ceil((await maxPublicationId(ctx, {})) / titles))
        const text = textOf(ctx, files, Number(request.params.part ?? 0))
        if (!text) return next()
        response.set({ 'Cache-Control': 'public, max-age=3600', 'Content-Type': 'application/xml; charset=utf-8' })
        await pipeline(Readable.from(text), response)
      } catch (error) {
        // The client has disconnected.
        if ((error as { code?: string }).code !== 'ERR_STREAM_PREMATURE_CLOSE') next(error)
      }
    }

  return Router()
    .get(
      '/sitemap.xml',
      respond((ctx, files) => (files > 1 ? index(files) : file(ctx, 1))),
    )
    .get(
      '/sitemap/:part(\\d{1,9}).xml',
      respond((ctx, files, part) => (part >= 1 && part <= files ? file(ctx, part) : null)),
    )
}

function urlEntry(location: string, changedAt: Date): string {
  return `<url><loc>${location}</loc><lastmod>${changedAt.toISOString()}</lastmod></url>\n`
}
