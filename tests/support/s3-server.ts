import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface S3Server {
  url: string
  objects: Map<string, { content: Buffer; type: string }>
  /** How it behaves from now on: correctly, silent, broken, or disconnecting in the middle of a file. */
  mode: 'well' | 'silent' | 'broken' | 'cut'
  stop(): Promise<void>
}

/** A store that speaks S3 over HTTP: signed PUT, GET and DELETE of one bucket, refusing requests that are unsigned or differ from what was signed. */
export async function startS3Server(bucket: string, accessKeyId: string): Promise<S3Server> {
  const objects: S3Server['objects'] = new Map()
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  const store: S3Server = { url: '', objects, mode: 'well', stop: () => stop(server) }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const content = await bodyOf(request)
    if (store.mode === 'silent') return
    if (store.mode === 'broken') return refuse(response, 500, 'InternalError')
    const { pathname } = new URL(request.url ?? '', 'http://store')
    const [, bucketName, ...key] = decodeURIComponent(pathname).split('/')
    const refusal = signatureProblem(request, content, accessKeyId)
    if (refusal) return refuse(response, 403, refusal)
    if (bucketName !== bucket) return refuse(response, 404, 'NoSuchBucket')
    const file = key.join('/')
    if (request.method === 'PUT') {
      objects.set(file, { content, type: request.headers['content-type'] ?? '' })
      response.writeHead(200, { ETag: '"x"' }).end()
    } else if (request.method === 'DELETE') {
      objects.delete(file)
      response.writeHead(204).end()
    } else {
      const object = objects.get(file)
      if (!object) return refuse(response, 404, 'NoSuchKey')
      response.writeHead(200, { 'Content-Type': object.type, 'Content-Length': object.content.length })
      if (store.mode === 'cut') response.write(object.content.subarray(0, 20), () => response.destroy())
      else response.end(object.content)
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  store.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return store
}

/** Checks the parts of a version 4 signature that need no secret, and the payload by its hash. */
function signatureProblem({ headers }: IncomingMessage, content: Buffer, accessKeyId: string): string | undefined {
  const { authorization = '' } = headers
  const signed =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/\d{8}\/[\w-]+\/s3\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=[0-9a-f]{64}$/.exec(
      authorization,
    )
  if (signed?.[1] !== accessKeyId || !signed[2]?.includes('x-amz-content-sha256')) return 'AccessDenied'
  if (!/^\d{8}T\d{6}Z$/.test(String(headers['x-amz-date']))) return 'AccessDenied'
  const hash = createHash('sha256').update(content).digest('hex')
  return headers['x-amz-content-sha256'] === hash ? undefined : 'XAmzContentSHA256Mismatch'
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response
    .writeHead(status, { 'Content-Type': 'application/xml' })
    .end(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`)
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

function stop(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
