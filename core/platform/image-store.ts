import { randomBytes } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ImageShape, imageFile, imageLimits } from '#core/images/image.rules.ts'
import type { ImageStore } from '#core/images/image-store.ts'
import { AppError, invalid, isAppError } from '#core/kernel/errors.ts'

/** By the bytes, whatever the file's name says. An SVG is a program and is not among them. */
const taken = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']

/** The folder of the kept pictures: in it is nothing but what this store has written. */
export function imagesDir(dataDir: string): string {
  return join(dataDir, 'images')
}

export function makeImageStore(dataDir: string): ImageStore {
  const folder = imagesDir(dataDir)
  return {
    async keep(bytes, shape, field) {
      const refuse = (message: string) => invalid({ [field]: message }, message)
      if (bytes.length === 0) throw refuse('Choose a picture')
      if (bytes.length > imageLimits.bytes) throw refuse('The picture is larger than 5 MB. Choose a smaller one.')
      const { fileTypeFromBuffer } = await import('file-type')
      const type = await fileTypeFromBuffer(bytes).catch(() => undefined)
      if (!type || !taken.includes(type.mime)) {
        throw refuse('This is not a picture we can use. Choose a JPEG, PNG, WebP, GIF or AVIF file.')
      }
      const files = await madeAnew(bytes, shape, refuse)
      const name = randomBytes(24).toString('base64url')
      await mkdir(folder, { recursive: true })
      for (const { width, webp } of files) await writeWhole(join(folder, imageFile(name, width)), webp)
      return name
    },
    async remove(name, { widths }) {
      for (const width of widths) await rm(join(folder, imageFile(name, width)), { force: true })
    },
  }
}

/** Decodes the picture once for each width and encodes the pixels as WebP, upright and without what cameras and programs write beside them. */
async function madeAnew(
  bytes: Uint8Array,
  { widths, isSquare }: ImageShape,
  refuse: (message: string) => AppError,
): Promise<{ width: number; webp: Buffer }[]> {
  const { default: sharp } = await import('sharp')
  const open = () =>
    sharp(bytes, { failOn: 'error', limitInputPixels: imageLimits.pixels, sequentialRead: true, pages: 1 })
  try {
    const { width, height } = await open().metadata()
    if (width * height > imageLimits.pixels) {
      throw refuse('The picture has more than 25 million pixels. Choose a smaller one.')
    }
    const files: { width: number; webp: Buffer }[] = []
    for (const size of widths) {
      const resized = open()
        .rotate()
        .resize(isSquare ? { width: size, height: size, fit: 'cover' } : { width: size, withoutEnlargement: true })
      files.push({ width: size, webp: await resized.webp({ quality: 82 }).toBuffer() })
    }
    return files
  } catch (error) {
    if (isAppError(error)) throw error
    if (error instanceof Error && /pixel limit/i.test(error.message)) {
      throw refuse('The picture has more than 25 million pixels. Choose a smaller one.')
    }
    throw refuse('The picture is damaged or cut short. Open it on your computer, save it again and try once more.')
  }
}

/** A file is there whole or not at all. */
async function writeWhole(path: string, content: Buffer): Promise<void> {
  const unfinished = `${path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    await writeFile(unfinished, content)
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw new AppError('unavailable', 'The picture could not be stored. Please try again in a moment.', {
      detail: error,
      cause: error,
    })
  }
}
