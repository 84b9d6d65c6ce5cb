import { pipeline } from 'node:stream/promises'
import type { RequestHandler } from 'express'
import type { Services } from '#core/context.ts'
import { isImageFile } from '#core/images/image.rules.ts'
import { errorKinds, toAppError } from '#core/kernel/errors.ts'

/**
 * Sends a stored image. Its name is random and new for each upload, so it never changes; alone in a tab it has no scripts and no
 * origin. Emails and other sites may show it.
 */
export function sendImage({ images, log }: Pick<Services, 'images' | 'log'>): RequestHandler<{ file: string }> {
  return async (request, response) => {
    const { file } = request.params
    try {
      const image = isImageFile(file) ? await images.open(file) : null
      if (!image) {
        response.status(404).set('Cache-Control', 'no-store').type('text').send('Not found')
        return
      }
      response.set({
        'Cache-Control': 'public, max-age=31536000, immutable',
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'Content-Disposition': 'inline',
        ...(image.bytes === undefined ? {} : { 'Content-Length': String(image.bytes) }),
      })
      response.type(file.slice(file.lastIndexOf('.')))
      await pipeline(image.content, response)
    } catch (error) {
      if (response.headersSent) {
        // The Content-Length was sent: closing the connection tells the client that the picture is incomplete.
        response.destroy()
        return
      }
      const appError = toAppError(error)
      const requestId = response.locals.requestId as string
      if (errorKinds[appError.kind].reported)
        log.error({ error: appError.detail ?? appError, requestId }, appError.message)
      response
        .status(errorKinds[appError.kind].status)
        .set({ 'Cache-Control': 'no-store', 'Retry-After': '10' })
        .removeHeader('Content-Length')
      response.type('text').send(appError.message)
    }
  }
}
