import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import {
  type AppLoadContext,
  createReadableStreamFromReadable,
  createRequestHandler,
  type ServerBuild,
} from '@remix-run/node'
import type { Request as ExpressRequest, Response as ExpressResponse, RequestHandler } from 'express'
import { AppError } from '#core/kernel/errors.ts'

/** The compression levels of pages: a fifth of the time that the highest level takes, for a tenth more bytes. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }
const gzip = { level: 4 }
/** Smaller responses fit into one packet without compression (bytes). */
const compressionThreshold = 1024

/**
 * Remix behind Express, like @remix-run/express except for rendered pages: those are sent as one string with their length, which costs less
 * processor time than streaming them and compressing the stream.
 */
export function remixAdapter(
  build: ServerBuild,
  contextOf: (request: ExpressRequest, response: ExpressResponse, finish: AppLoadContext['finish']) => AppLoadContext,
): RequestHandler {
  const handleRequest = createRequestHandler(build, 'production')
  return async (request, response, next) => {
    try {
      let page: string | undefined
      const finish = (html: string): void => {
        page = html
      }
      const reply = await handleRequest(webRequest(request, response), contextOf(request, response, finish))
      response.statusMessage = reply.statusText
      response.status(reply.status)
      for (const [name, value] of reply.headers) response.append(name, value)
      if (reply.body) await stream(reply.body as ReadableStream, response)
      else if (page !== undefined && request.method !== 'HEAD') sendPage(request, response, page)
      else response.end()
    } catch (error) {
      next(error)
    }
  }
}

/**
 * Reads no faster than the client does, and ends the source when the client disconnects. Each chunk is flushed at once: compression would hold it
 * back until a block is full, and a download would not begin.
 */
async function stream(body: ReadableStream, response: ExpressResponse): Promise<void> {
  const { flush } = response as ExpressResponse & { flush?: () => void }
  async function* flushed() {
    for await (const chunk of body) {
      yield chunk
      flush?.()
    }
  }
  try {
    await pipeline(flushed, response)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  }
}

function webRequest(request: ExpressRequest, response: ExpressResponse): Request {
  const url = addressOf(request)
  const abortController = new AbortController()
  let isFinished = false
  // Aborted when the client disconnects, so that loaders can stop.
  response.on('finish', () => {
    isFinished = true
  })
  response.on('close', () => {
    if (!isFinished) abortController.abort()
  })
  const headers = new Headers()
  for (const [name, values] of Object.entries(request.headers))
    for (const value of Array.isArray(values) ? values : [values]) if (value) headers.append(name, value)
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD'
  const init: RequestInit & { duplex?: 'half' } = { method: request.method, headers, signal: abortController.signal }
  if (hasBody) Object.assign(init, { body: createReadableStreamFromReadable(request), duplex: 'half' })
  return new Request(url, init)
}

/** The address of a request. Throws `malformed` for one that is none, such as with brackets in the `Host` header. */
function addressOf(request: ExpressRequest): URL {
  const portText = request.get('x-forwarded-host')?.split(':')[1] ?? request.get('host')?.split(':')[1] ?? ''
  const port = Number.parseInt(portText, 10)
  // `hostname` depends on `trust proxy`.
  const origin = `${request.protocol}://${request.hostname}${Number.isSafeInteger(port) ? `:${port}` : ''}`
  // Joined, not resolved: //example.org/ is a path as well, and not another host.
  const address = request.originalUrl.startsWith('/') ? origin + request.originalUrl : request.originalUrl
  if (!URL.canParse(address)) throw new AppError('malformed', 'The address of the request is not valid')
  return new URL(address)
}

function sendPage(request: ExpressRequest, response: ExpressResponse, page: string): void {
  const plain = Buffer.from(page)
  response.vary('Accept-Encoding')
  const encoding =
    plain.length < compressionThreshold ? undefined : ['br', 'gzip'].find((name) => request.acceptsEncodings(name))
  if (encoding) response.setHeader('Content-Encoding', encoding)
  const body =
    encoding === 'br' ? brotliCompressSync(plain, brotli) : encoding === 'gzip' ? gzipSync(plain, gzip) : plain
  response.setHeader('Content-Length', body.length)
  response.end(body)
}
