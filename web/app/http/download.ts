import { Readable } from 'node:stream'
import type { DownloadFile } from '#core/downloads/download-file.ts'
import { trackDownload } from '#core/downloads/track-download.ts'
import type { StaffContext } from './require-screen.ts'

/**
 * A download of the back office: streams the use case's file and records its progress for the dialog that polls it (`?download=` is the
 * dialog's token). A plain link has no token and gets the same file.
 */
export async function sendDownload(
  ctx: StaffContext,
  request: Request,
  make: () => Promise<DownloadFile>,
): Promise<Response> {
  const token = new URL(request.url).searchParams.get('download')
  const file = await (token === null || request.method === 'HEAD' ? make() : trackDownload(ctx, token, make))
  return download(request, file.fileName, file.chunks, file.type ?? `text/csv; charset=${file.charset ?? 'utf-8'}`)
}

/**
 * Streams a file while it is generated, so that a million rows need no more memory than a few. The first chunk is awaited: an error before it is
 * still an error page. A HEAD request generates no rows and logs no download. If the client disconnects, the generator is ended here: Remix discards
 * a response that is returned after that, without ending its stream.
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
  const end = () => source.return?.()
  if (request.signal.aborted) {
    await end()
    throw request.signal.reason
  }
  // An error while the generator is being ended has already been recorded by the generator.
  request.signal.addEventListener('abort', () => void Promise.resolve(end()).catch(() => {}), { once: true })
  async function* all() {
    try {
      for (let step = first; !step.done; step = await source.next()) yield step.value
    } finally {
      await end()
    }
  }
  const body = Readable.toWeb(Readable.from(all(), { objectMode: false })) as ReadableStream<Uint8Array>
  return new Response(body, { headers })
}

/** The name twice: in ASCII for old clients, and exactly, as in RFC 5987. */
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
