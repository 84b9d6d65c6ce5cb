import { randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ImageFiles, storeUnavailable } from './image-files.ts'

/** Pictures in a local folder. It contains only what is written here. */
export function folderFiles(dataDir: string): ImageFiles {
  const folder = join(dataDir, 'images')
  return {
    place: folder,
    async put(file, content) {
      // A file appears complete or not at all.
      const unfinished = join(folder, `${file}.${randomBytes(6).toString('hex')}.tmp`)
      try {
        await mkdir(folder, { recursive: true })
        await writeFile(unfinished, content)
        await rename(unfinished, join(folder, file))
      } catch (error) {
        await rm(unfinished, { force: true }).catch(() => {})
        throw storeUnavailable(error, error)
      }
    },
    async open(file) {
      try {
        const handle = await open(join(folder, file))
        const { size } = await handle.stat()
        return { content: handle.createReadStream(), bytes: size }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw storeUnavailable(error, error)
      }
    },
    async remove(file) {
      await rm(join(folder, file), { force: true }).catch((error: unknown) => {
        throw storeUnavailable(error, error)
      })
    },
  }
}
