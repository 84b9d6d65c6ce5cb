import { existsSync, readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import express, { type RequestHandler, Router } from 'express'
import { projectRoot } from '#core/platform/project-root.ts'

/** Compressed variants that the build writes next to each file (`scripts/bundle.mjs`), the smallest first. */
const variants = [
  { encoding: 'br', ending: '.br' },
  { encoding: 'gzip', ending: '.gz' },
] as const
const types: Record<string, string> = { '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8' }

/**
 * The built scripts, styles and fonts. Their names contain a hash, so they never change; they are served precompressed, and with as few
 * headers as are safe, because a page loads some thirty of them.
 */
export function assetFiles(): RequestHandler {
  const folder = join(projectRoot(), 'build/client/assets')
  const files = new Set(existsSync(folder) ? readdirSync(folder) : [])
  return Router()
    .use((request, response, next) => {
      response.setHeader('X-Content-Type-Options', 'nosniff')
      response.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
      const name = request.path.slice(1)
      const type = types[extname(name)]
      if (!type) return next()
      response.vary('Accept-Encoding')
      const variant = variants.find(
        ({ encoding, ending }) => files.has(name + ending) && request.acceptsEncodings(encoding) === encoding,
      )
      if (variant) {
        response.setHeader('Content-Type', type)
        response.setHeader('Content-Encoding', variant.encoding)
        request.url = `/${name}${variant.ending}`
      }
      next()
    })
    .use(
      express.static(folder, {
        immutable: true,
        maxAge: '1y',
        fallthrough: false,
        index: false,
        lastModified: false,
        etag: false,
        // `send` has an older table of MIME types.
        setHeaders: (response, file) => {
          if (file.endsWith('.avif')) response.setHeader('Content-Type', 'image/avif')
        },
      }),
    )
}
