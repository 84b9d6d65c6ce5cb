import { Readable } from 'node:stream'

/**
 * Answers with a file that is made while it is sent, so that a million rows need no memory. The first chunk is awaited: what
 * goes wrong before it is still an error page. Who only asks for the head is sent no row, and none is written down.
 */
export async function download(
  request: Request,
  fileName: string,
  chunks: AsyncIterable<Buffer | string>,
  type = 'text/csv; charset=utf-8',
): Promise<Response> {
  const headers = {
    'Content-Type': type,
    'Content-Disposition': contentDisposition(fileName),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  }
  if (request.method === 'HEAD') return new Response(null, { headers })
  const source = chunks[Symbol.asyncIterator]()
  const first = await source.next()
  async function* all() {
    try {
      for (let step = first; !step.done; step = await source.next()) yield step.value
    } finally {
      await source.return?.()
    }
  }
  const body = Readable.toWeb(Readable.from(all(), { objectMode: false })) as ReadableStream<Uint8Array>
  return new Response(body, { headers })
}

/** The name twice: in plain letters for old readers of headers, and exactly, as RFC 5987 writes it. */
export function contentDisposition(fileName: string): string {
  const plain =
    fileName
      .normalize('NFKD')
      .replaceAll(/[^\x20-\x7e]/g, '')
      .replaceAll(/["\\/]/g, '_') || 'download.csv'
  const exact = encodeURIComponent(fileName).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}
