import type { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import type { S3Storage } from '../storage-url.ts'
import { type ImageFiles, storeUnavailable } from './image-files.ts'

/** How long the store may take to respond, and how long it may be idle while it sends. */
const defaultTimeouts = { connect: 2000, response: 8000, idle: 8000 }
type Timeouts = typeof defaultTimeouts

/** Pictures in a bucket of an S3-compatible store. Its client is loaded when the first picture is requested. */
export function s3Files(storage: S3Storage, timeoutMs: Timeouts = defaultTimeouts): ImageFiles {
  let loaded: Promise<{ s3: typeof import('@aws-sdk/client-s3'); client: S3Client }> | undefined
  const ready = () => {
    loaded ??= load(storage, timeoutMs)
    return loaded
  }
  const at = (file: string) => ({ Bucket: storage.bucket, Key: `${storage.prefix}${file}` })
  return {
    place: `bucket ${storage.bucket}${storage.endpoint ? ` at ${new URL(storage.endpoint).host}` : ''}`,
    async put(file, content, type) {
      const { s3, client } = await ready()
      const object = {
        ...at(file),
        Body: content,
        ContentType: type,
        CacheControl: 'public, max-age=31536000, immutable',
      }
      await sendCommand(timeoutMs.response, (signal) => client.send(new s3.PutObjectCommand(object), signal))
    },
    async open(file) {
      const { s3, client } = await ready()
      try {
        const { Body, ContentLength } = await withAbortTimeout(timeoutMs.response, (signal) =>
          client.send(new s3.GetObjectCommand(at(file)), signal),
        )
        return Body ? { content: Body as Readable, bytes: ContentLength } : null
      } catch (error) {
        if (statusOf(error) === 404) return null
        throw storeUnavailable(error)
      }
    },
    async remove(file) {
      const { s3, client } = await ready()
      await sendCommand(timeoutMs.response, (signal) => client.send(new s3.DeleteObjectCommand(at(file)), signal), 404)
    },
  }
}

async function load({ endpoint, region, credentials }: S3Storage, timeoutMs: Timeouts) {
  const s3 = await import('@aws-sdk/client-s3')
  const client = new s3.S3Client({
    region,
    // Without keys in the settings the client uses its default sources: a profile, the machine's own role.
    ...(credentials && { credentials }),
    // Stores other than Amazon's address the bucket by path, and support no checksums but the signed one.
    ...(endpoint && { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 2,
    requestHandler: {
      connectionTimeout: timeoutMs.connect,
      requestTimeout: timeoutMs.response,
      throwOnRequestTimeout: true,
      socketTimeout: timeoutMs.idle,
    },
  })
  return { s3, client }
}

type S3Request<Answer> = (signal: { abortSignal: AbortSignal }) => Promise<Answer>

/** The timeout covers all attempts and the pauses between them; a running transfer is bounded only by the idle timeout. */
async function withAbortTimeout<Answer>(timeoutMs: number, request: S3Request<Answer>): Promise<Answer> {
  const control = new AbortController()
  const timer = setTimeout(() => control.abort(), timeoutMs)
  try {
    return await request({ abortSignal: control.signal })
  } finally {
    clearTimeout(timer)
  }
}

async function sendCommand(timeoutMs: number, request: S3Request<unknown>, ignoredStatus?: number): Promise<void> {
  try {
    await withAbortTimeout(timeoutMs, request)
  } catch (error) {
    if (ignoredStatus === undefined || statusOf(error) !== ignoredStatus) throw storeUnavailable(error)
  }
}

/** A missing bucket returns 404 as well: that is not a missing picture. */
function statusOf(error: unknown): number | undefined {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } }
  return name === 'NoSuchBucket' ? undefined : $metadata?.httpStatusCode
}
