import type { AppContext } from '#core/context.ts'
import { fileTooLarge } from '#core/imports/file-too-large.ts'
import { getUploadTarget } from '#core/imports/get-upload-target.query.ts'
import { invalid } from '#core/kernel/errors.ts'
import { openForm } from './multipart.ts'

/** An uploaded file. */
export interface SentFile {
  fileName: string
  chunks: AsyncIterable<Uint8Array>
  /** The Content-Length of the whole form, if known. */
  announcedBytes: number
}

/** The overhead of a multipart form in bytes. */
const formOverhead = 64 * 1024

/** A body as a stream, from Remix's request or from Express's. */
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
 * Streams the form's file (its field "file") without buffering it. The publication is authorised before anything else. If the file is
 * refused the rest of the body is still read, so that the client gets the response.
 */
export async function receiveFile<Done>(
  ctx: AppContext,
  publicationId: number,
  body: FormBody,
  take: (file: SentFile) => Promise<Done>,
): Promise<Done> {
  await getUploadTarget(ctx, { publicationId })
  return receiveOwnFile(ctx, body, take)
}

/** Streams a file of the publisher, which belongs to no publication. The caller checks the permission. */
export async function receiveOwnFile<Done>(
  ctx: AppContext,
  body: FormBody,
  take: (file: SentFile) => Promise<Done>,
): Promise<Done> {
  const maxBytes = ctx.settings.uploadMaxBytes
  if (body.contentLength > maxBytes + formOverhead) throw fileTooLarge(maxBytes)
  const { file, discardRest } = await openForm(body.contentType, body.bytes)
  if (!file) throw invalid({ file: 'Choose a CSV file' }, 'Choose a CSV file')
  const [outcome] = await Promise.allSettled([take({ ...file, announcedBytes: body.contentLength })])
  await discardRest()
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}
