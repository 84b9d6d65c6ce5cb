import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import busboy from 'busboy'
import { fileTooLarge } from '#core/imports/file-too-large.ts'
import { AppError } from '#core/kernel/errors.ts'

/** A form whose file is read as it comes. */
export interface SentForm {
  /** The fields in front of the file; all of them where there is no file. */
  fields: Record<string, string>
  /** The field "file". Null where the form has none; without a name where its file box was left empty. */
  file: { fileName: string; chunks: AsyncIterable<Buffer> } | null
  /** Steps over what is left of the form. Throws where the form is not whole. */
  rest(): Promise<void>
}

/** Far more than any form has: what is held until the file comes must not grow without end. */
const maxFields = 50
const maxFieldBytes = 10_000

/** Whether a body is a form that `openForm` reads. */
export function isMultipart(contentType: string): boolean {
  return /^multipart\/form-data\s*;.*\bboundary=("[^"]|[^\s;"])/i.test(contentType)
}

/**
 * Reads a `multipart/form-data` body up to its file, and the file as it is asked for: no more than a few chunks are ever held. Throws
 * `malformed` where the body is not whole, `tooLarge` for a field; what breaks the connection is thrown as it is. The body is never closed
 * early: else nobody would hear why a file was refused.
 */
export async function openForm(contentType: string, body: AsyncIterable<Uint8Array>): Promise<SentForm> {
  const parser = parserOf(contentType)
  const fields: Record<string, string> = {}
  let failure: unknown
  const fail = (error: unknown) => {
    failure ??= error
    parser.destroy(error as Error)
  }
  // Everything else that goes wrong is busboy's own: the body is no whole form.
  const failed = () => failure ?? malformed()

  let content: Readable | undefined
  parser.on('error', () => parser.destroy())
  parser.on('field', (name, value, { valueTruncated }) => {
    if (content) return
    if (valueTruncated) fail(fileTooLarge(maxFieldBytes))
    else fields[name] = value
  })
  parser.on('fieldsLimit', () => {
    if (!content) fail(new AppError('malformed', `At most ${maxFields} fields may precede the field "file"`))
  })
  const whole = finished(parser)
  const opened = new Promise<SentForm['file']>((resolve, reject) => {
    parser.on('file', (name, stream, { filename = '' }) => {
      // Told by whoever reads it, and by `rest`.
      stream.on('error', () => {})
      // What was refused may stand in the same piece as the file behind it.
      if (name !== 'file' || content || failure) return stream.resume()
      content = stream
      resolve({ fileName: filename.replaceAll('%22', '"'), chunks: chunksOf(stream, failed) })
    })
    whole.then(
      () => resolve(null),
      () => reject(failed()),
    )
  })
  feed(parser, body).catch(fail)
  const file = await opened
  return {
    fields,
    file,
    async rest() {
      content?.resume()
      await whole.catch(() => {
        throw failed()
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

/** Hands the body on as fast as it is taken. */
async function feed(parser: busboy.Busboy, body: AsyncIterable<Uint8Array>): Promise<void> {
  const source = body[Symbol.asyncIterator]()
  for (let step = await source.next(); !step.done; step = await source.next()) {
    if (parser.destroyed) return
    if (!parser.write(step.value)) await once(parser, 'drain')
  }
  parser.end()
}

async function* chunksOf(content: Readable, failed: () => unknown): AsyncGenerator<Buffer> {
  try {
    // Whoever stops early closes nothing: the rest is stepped over.
    yield* content.iterator({ destroyOnReturn: false })
  } catch {
    throw failed()
  }
}

function malformed(): AppError {
  return new AppError('malformed', 'The body is not whole multipart/form-data. Check its boundary.')
}
