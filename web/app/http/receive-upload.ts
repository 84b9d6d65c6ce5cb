import type { AppContext } from '#core/context.ts'
import { fileTooLarge } from '#core/imports/file-too-large.ts'
import { uploadPlace } from '#core/imports/upload-place.query.ts'
import { invalid } from '#core/kernel/errors.ts'
import { openForm } from './multipart.ts'

/** A file as a form sends it. */
export interface SentFile {
  fileName: string
  chunks: AsyncIterable<Uint8Array>
  /** The length of the whole form, where it was said. */
  announcedBytes: number
}

/** The bytes around a file in a form. */
const formRoom = 64 * 1024

/** A body as it comes, from Remix's request or from Express's. */
export interface FormBody {
  contentType: string
  contentLength: number
  bytes: AsyncIterable<Uint8Array>
}

export function bodyOf(request: Request): FormBody {
  return {
    contentType: request.headers.get('content-type') ?? '',
    contentLength: Number(request.headers.get('content-length') ?? 0),
    bytes: (request.body ?? new ReadableStream()) as unknown as AsyncIterable<Uint8Array>,
  }
}

/**
 * Hands the form's file (its field "file") on as it comes; nothing of it is held in memory. Whose publication it is comes before
 * everything else. When the file is refused the rest of the body is read all the same: else nobody would hear why.
 */
export async function receiveFile<Done>(
  ctx: AppContext,
  publicationId: number,
  body: FormBody,
  take: (file: SentFile) => Promise<Done>,
): Promise<Done> {
  await uploadPlace(ctx, { publicationId })
  return receiveOwnFile(ctx, body, take)
}

/** The same for a file of the publisher's own, which belongs to no publication. Whoever takes it asks for the right to. */
export async function receiveOwnFile<Done>(
  ctx: AppContext,
  body: FormBody,
  take: (file: SentFile) => Promise<Done>,
): Promise<Done> {
  const maxBytes = ctx.settings.uploadMaxBytes
  if (body.contentLength > maxBytes + formRoom) throw fileTooLarge(maxBytes)
  const { file, rest } = await openForm(body.contentType, body.bytes)
  if (!file) throw invalid({ file: 'Choose a CSV file' }, 'Choose a CSV file')
  const [outcome] = await Promise.allSettled([take({ ...file, announcedBytes: body.contentLength })])
  await rest()
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}
