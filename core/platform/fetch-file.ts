import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { AppError, isAppError, notFound } from '#core/kernel/errors.ts'
import type { FetchedFile } from '#core/ports/remote-files.ts'
import { connectionProblem } from './connection-problem.ts'
import { RefusedAddress } from './public-lookup.ts'
import type { ConnectOptions } from './sftp-folder.ts'

const maxRedirects = 5
const redirects = [301, 302, 303, 307, 308]

interface FetchRequest {
  url: string
  header: { name: string; value: string } | null
  /** `etag:…` or `modified:…`, as in an earlier response. */
  version: string | null
}

/** Fetches a file from a web server. Every address is checked, including those of redirects. */
export async function fetchFile(
  connectOptions: ConnectOptions & { allowsLoopback: boolean },
  { url: requested, header, version }: FetchRequest,
  signal?: AbortSignal,
): Promise<FetchedFile | null> {
  const first = new URL(requested)
  let url = first
  for (let hops = 0; hops <= maxRedirects; hops++) {
    // Credentials for one server are not sent to another.
    const credentials = header && url.origin === first.origin ? { [header.name]: header.value } : {}
    const response = await send(connectOptions, url, { ...credentials, ...conditionalHeaders(version) }, signal)
    const { statusCode = 0, headers } = response
    if (statusCode === 200) return fileOf(response, url)
    response.destroy()
    if (statusCode === 304) return null
    if (!redirects.includes(statusCode) || headers.location === undefined) throw refusal(statusCode)
    if (!URL.canParse(headers.location, url))
      throw new AppError('upstream', 'The server redirects to an invalid address')
    url = new URL(headers.location, url)
  }
  throw new AppError('upstream', `The server redirects more than ${maxRedirects} times`)
}

function conditionalHeaders(version: string | null): Record<string, string> {
  const [, kind, value] = /^(etag|modified):(.*)$/s.exec(version ?? '') ?? []
  if (value === undefined) return {}
  return kind === 'etag' ? { 'if-none-match': value } : { 'if-modified-since': value }
}

function refusal(statusCode: number): AppError {
  if (statusCode === 401 || statusCode === 403)
    return new AppError('invalid', `The server refused the request (${statusCode})`, {
      hint: 'Check the address and the header.',
    })
  if (statusCode === 404 || statusCode === 410) return notFound('The file')
  return new AppError('upstream', `The server answered ${statusCode}`)
}

function send(
  { lookup, refuseLiteralAddress, allowsLoopback, timeoutMs }: ConnectOptions & { allowsLoopback: boolean },
  url: URL,
  headers: Record<string, string>,
  signal: AbortSignal | undefined,
): Promise<IncomingMessage> {
  const isAllowed = url.protocol === 'https:' || (allowsLoopback && url.protocol === 'http:')
  return new Promise<IncomingMessage>((resolve, reject) => {
    if (!isAllowed) throw new RefusedAddress()
    refuseLiteralAddress(url.hostname.replace(/^\[|\]$/g, ''))
    const request = (url.protocol === 'http:' ? http : https).get(
      url,
      {
        lookup,
        agent: false,
        ...(signal && { signal }),
        headers: { 'user-agent': 'Masthead/1', accept: 'text/csv, */*', 'accept-encoding': 'identity', ...headers },
      },
      resolve,
    )
    // Idle timeout, before and during the response.
    request.setTimeout(timeoutMs, () => request.destroy(Object.assign(new Error(), { code: 'ETIMEDOUT' })))
    request.on('error', reject)
  }).catch((error: unknown) => {
    throw problemOf(error, url.hostname)
  })
}

function problemOf(error: unknown, host: string): AppError {
  if (isAppError(error)) return error
  if (error instanceof RefusedAddress)
    return new AppError('invalid', `${host} is not an address on the public internet`)
  return new AppError('upstream', connectionProblem(error) ?? 'The request failed', { cause: error })
}

function fileOf(response: IncomingMessage, url: URL): FetchedFile {
  const { headers } = response
  if (!['identity', ''].includes(headers['content-encoding'] ?? ''))
    throw new AppError('upstream', 'The server sends the file compressed', {
      hint: 'Give the address of the file itself.',
    })
  const length = Number(headers['content-length'] ?? Number.NaN)
  const { etag, 'last-modified': modified } = headers
  const version = etag ? `etag:${etag}` : modified ? `modified:${modified}` : null
  return {
    name: nameOf(headers['content-disposition'], url),
    bytes: Number.isFinite(length) ? length : null,
    // A longer version is dropped: the next request is then unconditional.
    version: version !== null && version.length <= 200 ? version : null,
    chunks: bytesOf(response, url.hostname),
  }
}

/** The name that the server gives the file, or the last part of its address; `.csv` is appended if it is missing. */
function nameOf(disposition: string | undefined, url: URL): string {
  const [, fileName] = /filename="?([^";]+)"?/i.exec(disposition ?? '') ?? []
  const name = (fileName ?? lastPart(url)).split(/[/\\]/).at(-1)?.trim() || 'readers'
  return /\.csv$/i.test(name) ? name : `${name.replace(/^\.+/, '') || 'readers'}.csv`
}

function lastPart({ pathname }: URL): string {
  const part = pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

async function* bytesOf(response: IncomingMessage, host: string): AsyncGenerator<Uint8Array> {
  try {
    // A body that ends before its announced length is an error of the stream.
    yield* response as AsyncIterable<Uint8Array>
  } catch (error) {
    throw problemOf(error, host)
  } finally {
    response.destroy()
  }
}
