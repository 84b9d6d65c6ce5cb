import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import busboy from 'busboy'
import { sizeText } from '#core/imports/file-too-large.ts'
import { AppError } from '#core/kernel/errors.ts'

/** A form whose file is streamed. */
export interface SentForm {
  /** The fields before the file; all fields if there is no file. */
  fields: Record<string, string>
  /** The field "file". Null if the form has none; without a name if its file input was empty. */
  file: { fileName: string; chunks: AsyncIterable<Buffer> } | null
  /** Discards what follows the file. Throws if the form is incomplete. */
  discardRest(): Promise<void>
}

/** Far more than any form needs: bounds the memory used before the file arrives. */
const maxFields = 50
const maxFieldBytes = 10_000

/** Whether a body is a form that `openForm` can read. */
export function isMultipart(contentType: string): boolean {
  return /^multipart\/form-data\s*;.*\bboundary=("[^"]|[^\s;"])/i.test(contentType)
}

/**
 * Reads a `multipart/form-data` body up to its file, and then streams the file with backpressure: only a few chunks are buffered. Throws
 * `malformed` for an incomplete body, `tooLarge` for a field; connection errors are rethrown unchanged. The body is never closed early:
 * otherwise the client would not get the response to a refused file.
 */
export async function openForm(contentType: string, body: AsyncIterable<Uint8Array>): Promise<SentForm> {
  const parser = parserOf(contentType)
  const fields: Record<string, string> = {}
  let failure: unknown
  const fail = (error: unknown) => {
    failure ??= error
    parser.destroy(error as Error)
  }
  // All other errors are busboy's: the body is not a complete form.
  const failureReason = () => failure ?? malformed()

  let content: Readable | undefined
  parser.on('error', () => parser.destroy())
  parser.on('field', (name, value, { valueTruncated }) => {
    if (content) return
    if (valueTruncated) fail(fieldTooLong(name))
    else fields[name] = value
  })
  parser.on('fieldsLimit', () => {
    if (!content) fail(new AppError('malformed', `At most ${maxFields} fields may precede the field "file"`))
  })
  const completion = finished(parser)
  const opened = new Promise<SentForm['file']>((resolve, reject) => {
    parser.on('file', (name, stream, { filename = '' }) => {
      // The error is reported by the reader of the file, and by `discardRest`.
      stream.on('error', () => {})
      // The refusal may be in the same chunk as the file after it.
      if (name !== 'file' || content || failure) return stream.resume()
      content = stream
      resolve({ fileName: filename.replaceAll('%22', '"'), chunks: chunksOf(stream, failureReason) })
    })
    completion.then(
      () => resolve(null),
      () => reject(failureReason()),
    )
  })
  feed(parser, body).catch(fail)
  const file = await opened
  return {
    fields,
    file,
    async discardRest() {
      content?.resume()
      await completion.catch(() => {
        throw failureReason()
      })
    },
  }
}

function parserOf(contentType: string): busboy.Busboy {
  try {
    return busboy({
      headers: { 'content-type': contentType },
      defParamCharset: 'utf8',
      preservePath: true,
      limits: { fields: maxFields, fieldSize: maxFieldBytes },
    })
  } catch {
    throw new AppError('malformed', 'The body must be multipart/form-data with the file in its field "file"')
  }
}

/** Pipes the body with backpressure. */
async function feed(parser: busboy.Busboy, body: AsyncIterable<Uint8Array>): Promise<void> {
  const source = body[Symbol.asyncIterator]()
  for (let step = await source.next(); !step.done; step = await source.next()) {
    if (parser.destroyed) return
    if (!parser.write(step.value)) await once(parser, 'drain')
  }
  parser.end()
}

async function* chunksOf(content: Readable, failureReason: () => unknown): AsyncGenerator<Buffer> {
  try {
    // Stopping early does not close the stream: `discardRest` discards what is left.
    yield* content.iterator({ destroyOnReturn: false })
  } catch {
    throw failureReason()
  }
}

function fieldTooLong(name: string): AppError {
  const message = `The field ${name} is larger than ${sizeText(maxFieldBytes)}`
  return new AppError('tooLarge', message, { fields: { [name]: message }, hint: 'Only the file may be larger.' })
}

function malformed(): AppError {
  return new AppError('malformed', 'The body is not complete multipart/form-data. Check its boundary.')
}
