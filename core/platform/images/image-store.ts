import { randomBytes } from 'node:crypto'
import { imageFile, imageFiles, imageName, isImageFile } from '#core/images/image.rules.ts'
import type { ImageStore } from '#core/ports/image-store.ts'
import { concurrencyLimit } from '../../kernel/concurrency-limit.ts'
import type { ImageFiles } from './image-files.ts'
import { reEncodeImage } from './re-encode-image.ts'

const types = { webp: 'image/webp', jpg: 'image/jpeg', png: 'image/png' } as const

/** Decoding briefly takes a hundred megabytes, so few run at a time. */
const maxDecoding = 2

/** Stores pictures as files of one place. */
export function makeImageStore(files: ImageFiles): ImageStore {
  const limited = concurrencyLimit(maxDecoding)
  return {
    async save(bytes, shape, field) {
      const image = await limited(() => reEncodeImage(bytes, shape, field))
      const name = imageName(randomBytes(24).toString('base64url'), image.size)
      try {
        for (const { type, width, content } of image.files)
          await files.put(imageFile(name, width, type), content, types[type])
      } catch (error) {
        // Nothing refers to the name yet: its files are deleted.
        for (const file of imageFiles(name, shape)) await files.remove(file).catch(() => {})
        throw error
      }
      return { name, ...image.size, bytes: image.files.reduce((sum, { content }) => sum + content.length, 0) }
    },
    open: async (file) => (isImageFile(file) ? files.open(file) : null),
    async remove(name, shape) {
      for (const file of imageFiles(name, shape)) await files.remove(file)
    },
  }
}
