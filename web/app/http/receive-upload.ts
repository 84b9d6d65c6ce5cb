import type { AppContext } from '#core/context.ts'
import { AppError, invalid } from '#core/kernel/errors.ts'
import { fileTooLarge } from '#core/uploads/file-too-large.ts'
import { uploadPlace } from '#core/uploads/upload-place.query.ts'
import { boundaryOf, multipartParts } from './multipart.ts'

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
  const boundary = boundaryOf(body.contentType)
  if (!boundary)
    throw new AppError('malformed', 'The body must be multipart/form-data with the file in its field "file"')
  const most = ctx.settings.uploadMaxBytes
  if (body.contentLength > most + formRoom) throw fileTooLarge(most)
  let outcome: { done: Done } | { refused: unknown } | undefined
  for await (const { name, fileName, content } of multipartParts(body.bytes, boundary)) {
    if (name !== 'file' || fileName === null || outcome) continue
    outcome = await take({ fileName, chunks: content, announcedBytes: body.contentLength }).then(
      (done) => ({ done }),
      (refused: unknown) => ({ refused }),
    )
  }
  if (!outcome) throw invalid({ file: 'Choose a CSV file' }, 'Choose a CSV file')
  if ('refused' in outcome) throw outcome.refused
  return outcome.done
}
