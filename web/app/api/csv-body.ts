import type { Request } from 'express'
import { AppError } from '#core/kernel/errors.ts'
import { fileTooLarge } from '#core/uploads/file-too-large.ts'
import { boundaryOf, multipartParts } from '../http/multipart.ts'

interface CsvBody {
  /** The fields that stood in front of the file. */
  fields: Record<string, string>
  file: { fileName: string; chunks: AsyncIterable<Uint8Array>; announcedBytes?: number }
}

const longestField = 10_000
/** Far more than any call has: what is kept until the file comes must not grow without end. */
const mostFields = 50
const tooManyFields = () =>
  new AppError('malformed', `At most ${mostFields} fields may stand in front of the field "file"`)

/** The CSV of a multipart body, which whoever is handed it reads as it comes; null for any other body. */
export async function csvOf(request: Request): Promise<CsvBody | null> {
  const boundary = boundaryOf(request.get('content-type') ?? '')
  if (boundary === null) return null
  // Leaving early would close the connection before the answer is read.
  const bytes = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  const fields: Record<string, string> = {}
  for await (const { name, fileName, content } of unclosed(multipartParts(bytes, boundary))) {
    if (name === 'file' && fileName !== null)
      return {
        fields,
        file: { fileName, chunks: content, announcedBytes: Number(request.get('content-length') ?? 0) },
      }
    if (Object.keys(fields).length >= mostFields) throw tooManyFields()
    let text = ''
    for await (const piece of content) {
      text += piece.toString('utf8')
      if (text.length > longestField) throw fileTooLarge(longestField)
    }
    fields[name] = text
  }
  return { fields, file: { fileName: '', chunks: nothing() } }
}

/** Whoever takes the file goes on reading behind our back: the parts are not ended with the loop. */
function unclosed<Item>(items: AsyncGenerator<Item>): AsyncIterable<Item> {
  return { [Symbol.asyncIterator]: () => ({ next: () => items.next() }) }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
