import { AppError } from '#core/kernel/errors.ts'
import type { ImageContent } from '#core/ports/image-store.ts'

/** Where files of pictures are stored: a folder, or a bucket. They are written once and never changed. */
export interface ImageFiles {
  /** The place as text, for the doctor. */
  readonly place: string
  put(file: string, content: Uint8Array, type: string): Promise<void>
  open(file: string): Promise<ImageContent | null>
  remove(file: string): Promise<void>
}

/** The error for any failure of the store. `safeCause`: a cause that may be passed on, since it holds no secret. */
export function storeUnavailable(cause: unknown, safeCause?: unknown): AppError {
  return new AppError('unavailable', 'The image store is not responding. Please try again in a moment.', {
    // An error of the network or of the store's client can contain the request with its signature.
    detail: cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause),
    cause: safeCause,
  })
}
