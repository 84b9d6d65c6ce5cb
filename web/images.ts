import type { RequestHandler } from 'express'
import { isImageFile } from '#core/images/image.rules.ts'
import { imagesDir } from '#core/platform/image-store.ts'

/**
 * The pictures that people have uploaded. A name is random and its file never changes, so it may be kept for ever; alone in a tab it
 * gets no scripts and no origin. What is not the name of a picture never reaches the disk.
 */
export function uploadedImages(dataDir: string): RequestHandler {
  const root = imagesDir(dataDir)
  return (request, response, next) => {
    const name = request.params.name ?? ''
    if (!isImageFile(name)) return next(Object.assign(new Error('No such picture'), { status: 404 }))
    response.setHeader('Content-Security-Policy', "default-src 'none'; sandbox")
    response.setHeader('X-Content-Type-Options', 'nosniff')
    response.sendFile(
      name,
      { root, maxAge: '1y', immutable: true, dotfiles: 'deny', headers: { 'Content-Type': 'image/webp' } },
      (error) => {
        if (error) next(error)
      },
    )
  }
}
