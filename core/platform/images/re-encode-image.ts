import type { Sharp } from 'sharp'
import { imageLimits, imageProblems, imageTypes, storedWidths } from '#core/images/image.rules.ts'
import { invalid, isAppError } from '#core/kernel/errors.ts'
import type { ImageShape, ImageSize } from '#core/ports/image-store.ts'

export interface EncodedFile {
  type: 'webp' | 'jpg' | 'png'
  width: number
  content: Buffer
}

/** A picture taller than twice its width is made narrower: no page has room for more. */
const maxHeightRatio = 2
const timeoutSeconds = 20

/**
 * Makes a picture's files from its pixels: upright, in sRGB, only the first frame, and without the metadata of cameras
 * and programs. Throws an error under `field` for anything that is not an accepted picture.
 */
export async function reEncodeImage(
  bytes: Uint8Array,
  shape: ImageShape,
  field: string,
): Promise<{ size: ImageSize; files: EncodedFile[] }> {
  const refuse = (message: string) => invalid({ [field]: message }, message)
  if (bytes.length === 0) throw refuse(imageProblems.missing)
  if (bytes.length > imageLimits.bytes) throw refuse(imageProblems.tooLarge)
  const { fileTypeFromBuffer } = await import('file-type')
  const type = await fileTypeFromBuffer(bytes).catch(() => undefined)
  // The content decides the type, whatever the file's name says.
  if (!type || !imageTypes.includes(type.mime)) throw refuse(imageProblems.wrongType)
  try {
    const largest = await decodeLargest(bytes, shape, refuse)
    return { size: largest.size, files: await encodeFiles(largest, shape) }
  } catch (error) {
    if (isAppError(error)) throw error
    const isTooLarge = error instanceof Error && /pixel limit|too large/i.test(error.message)
    throw refuse(isTooLarge ? imageProblems.tooManyPixels : imageProblems.damaged)
  }
}

interface Pixels {
  size: ImageSize
  /** The decoded pixels, for repeated use. */
  open(): Sharp
}

/** Decodes the file once, to the largest size that is stored. */
async function decodeLargest(
  bytes: Uint8Array,
  { widths, isSquare }: ImageShape,
  refuse: (message: string) => Error,
): Promise<Pixels> {
  const { default: sharp } = await import('sharp')
  const file = sharp(bytes, { failOn: 'error', limitInputPixels: imageLimits.pixels, sequentialRead: true, pages: 1 })
  const { width, height } = await file.metadata()
  if (width * height > imageLimits.pixels) throw refuse(imageProblems.tooManyPixels)
  if (Math.min(width, height) < imageLimits.minSide) throw refuse(imageProblems.tooFewPixels)
  const max = Math.max(...widths)
  const { data, info } = await file
    .autoOrient()
    .resize(
      isSquare
        ? { width: max, height: max, fit: 'cover' }
        : { width: max, height: max * maxHeightRatio, fit: 'inside', withoutEnlargement: true },
    )
    .toColourspace('srgb')
    .timeout({ seconds: timeoutSeconds })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const raw = { width: info.width, height: info.height, channels: info.channels }
  return { size: { width: info.width, height: info.height }, open: () => sharp(data, { raw }) }
}

/** The stored widths as WebP, and the fallback file for programs that do not support it. */
async function encodeFiles({ size, open }: Pixels, shape: ImageShape): Promise<EncodedFile[]> {
  const files: EncodedFile[] = []
  for (const width of storedWidths(shape, size)) {
    files.push({ type: 'webp', width, content: await open().resize({ width }).webp({ quality: 82 }).toBuffer() })
  }
  if (shape.fallback) {
    const { type } = shape.fallback
    const width = Math.min(shape.fallback.width, size.width)
    const resized = open().resize({ width })
    const content =
      type === 'png'
        ? resized.png({ compressionLevel: 9 })
        : resized.flatten({ background: 'white' }).jpeg({ quality: 82, mozjpeg: true })
    files.push({ type, width, content: await content.toBuffer() })
  }
  return files
}
