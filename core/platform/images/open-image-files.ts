import type { Env } from '../env.ts'
import { folderFiles } from './folder-files.ts'
import type { ImageFiles } from './image-files.ts'
import { s3Files } from './s3-files.ts'

/** Opens this installation's picture store. */
export function openImageFiles({ dataDir, storage }: Pick<Env, 'dataDir' | 'storage'>): ImageFiles {
  return storage ? s3Files(storage) : folderFiles(dataDir)
}
