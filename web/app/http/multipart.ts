import { AppError } from '#core/kernel/errors.ts'

/** One field of a form. A file's content is read as it comes; what is left of it is stepped over with the next field. */
export interface FormPart {
  name: string
  /** Null for a field that is no file; empty for a file box that was left alone. */
  fileName: string | null
  content: AsyncIterable<Buffer>
}

const longestHeaders = 16 * 1024

/** The boundary of a `multipart/form-data` content type; null for any other. */
export function boundaryOf(contentType: string): string | null {
  const [, quoted, plain] =
    /^multipart\/form-data\s*;.*\bboundary=(?:"([^"]{1,200})"|([^\s;]{1,200}))/i.exec(contentType) ?? []
  return quoted ?? plain ?? null
}

/** The fields of a form in the order they come, however long they are: no more than a chunk is ever held. */
export async function* multipartParts(source: AsyncIterable<Uint8Array>, boundary: string): AsyncGenerator<FormPart> {
  const bytes = new Incoming(source)
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  // The first boundary stands at the very beginning, without a line end in front.
  bytes.putBack('\r\n')
  await skip(bytes.until(delimiter))
  for (;;) {
    const end = await bytes.take(2)
    if (end.toString('latin1') === '--') return
    const headers = end.toString('latin1') === '\r\n' ? '' : await bytes.line(longestHeaders)
    if (headers.trim() !== '') throw malformed()
    const part = { ...(await readHeaders(bytes)), content: bytes.until(delimiter) }
    yield part
    await skip(part.content)
  }
}

async function readHeaders(bytes: Incoming): Promise<{ name: string; fileName: string | null }> {
  let disposition = ''
  for (let length = 0; ; ) {
    const line = await bytes.line(longestHeaders)
    if (line === '') break
    length += line.length
    if (length > longestHeaders) throw malformed()
    if (/^content-disposition\s*:/i.test(line)) disposition = line
  }
  const name = parameter(disposition, 'name')
  if (name === null) throw malformed()
  return { name, fileName: parameter(disposition, 'filename') }
}

/** Browsers write a quote in a name as %22; others put a backslash in front. */
function parameter(header: string, name: string): string | null {
  const [, quoted, plain] = new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;]+))`, 'i').exec(header) ?? []
  if (quoted === undefined) return plain ?? null
  return quoted.replaceAll(/\\(["\\])/g, '$1').replaceAll('%22', '"')
}

async function skip(content: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of content);
}

function malformed(): AppError {
  return new AppError('malformed', 'The body is not whole multipart/form-data. Check its boundary.')
}

/** What stands between two marks. Whoever stops early closes nothing: the rest is stepped over afterwards. */
class Content implements AsyncIterable<Buffer> {
  readonly #next: () => Promise<IteratorResult<Buffer>>

  constructor(next: () => Promise<IteratorResult<Buffer>>) {
    this.#next = next
  }

  [Symbol.asyncIterator](): AsyncIterator<Buffer> {
    return { next: this.#next }
  }
}

/** Bytes as they come in, looked at through a small window. */
class Incoming {
  readonly #source: AsyncIterator<Uint8Array>
  #held: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  putBack(text: string): void {
    this.#held = Buffer.concat([Buffer.from(text), this.#held])
  }

  async take(count: number): Promise<Buffer> {
    while (this.#held.length < count) await this.#more()
    return this.#cut(count)
  }

  /** Up to the next line end, without it. */
  async line(longest: number): Promise<string> {
    for (;;) {
      const end = this.#held.indexOf('\r\n')
      if (end >= 0) {
        const text = this.#cut(end).toString('utf8')
        this.#cut(2)
        return text
      }
      if (this.#held.length > longest) throw malformed()
      await this.#more()
    }
  }

  /** What comes before a mark; the mark itself is gone afterwards. Asked again once that was reached, it gives nothing. */
  until(mark: Buffer): AsyncIterable<Buffer> {
    let isOver = false
    const next = async (): Promise<IteratorResult<Buffer>> => {
      for (;;) {
        if (isOver) return { done: true, value: undefined }
        const at = this.#held.indexOf(mark)
        isOver = at >= 0
        // The last bytes may be the beginning of the mark.
        const piece = this.#cut(isOver ? at : Math.max(0, this.#held.length - mark.length + 1))
        if (isOver) this.#cut(mark.length)
        if (piece.length > 0) return { done: false, value: piece }
        if (!isOver) await this.#more()
      }
    }
    return new Content(next)
  }

  #cut(count: number): Buffer {
    const piece = this.#held.subarray(0, count)
    this.#held = this.#held.subarray(count)
    return piece
  }

  async #more(): Promise<void> {
    const { done, value } = await this.#source.next()
    if (done) throw malformed()
    this.#held =
      this.#held.length === 0
        ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
        : Buffer.concat([this.#held, value])
  }
}
