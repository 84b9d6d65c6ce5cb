import { randomBytes } from 'node:crypto'
import { isAppError } from '#core/kernel/errors.ts'
import { type Check, failed, messageOf, ok } from './doctor-check.ts'
import type { Env } from './env.ts'
import { openImageFiles } from './images/open-image-files.ts'
import { systemFailure } from './system-failure.ts'

/** How long an external service may take to respond, in ms. */
export const timeoutMs = 5000

/** Writes, reads and removes a picture's file in the picture store. */
export async function checkImageStore(env: Env): Promise<Check> {
  const files = openImageFiles(env)
  const probe = `doctor-${randomBytes(6).toString('hex')}`
  try {
    await files.put(probe, Buffer.from('x'), 'text/plain')
    const stored = await files.open(probe)
    for await (const _ of stored?.content ?? []) {
      // Read to its end, so that the connection is released.
    }
    await files.remove(probe)
    return stored
      ? ok('Images', `in ${files.place}`)
      : failed('Images', `${files.place} accepts files but does not return them`, 'Check STORAGE_URL')
  } catch (error) {
    const refused = env.storage ? undefined : systemFailure(isAppError(error) ? error.cause : error, files.place)
    return failed(
      'Images',
      refused?.message ??
        `${files.place} cannot be used: ${String((isAppError(error) && error.detail) || messageOf(error))}`,
      env.storage
        ? 'Check STORAGE_URL, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and that the bucket exists'
        : (refused?.hint ?? 'Give the user that runs Masthead permission to write the folder'),
    )
  }
}

/** Whether Redis responds, if jobs go through it. */
export async function checkQueue({ redisUrl, isProduction }: Env): Promise<Check> {
  if (!redisUrl)
    return ok('Queue', `in the database; jobs run inside ${isProduction ? 'the web or worker process' : 'npm start'}`)
  const { Redis } = await import('ioredis')
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    connectTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  redis.on('error', () => {})
  const { hostname, port } = new URL(redisUrl)
  const place = `Redis on ${hostname}:${port || '6379'}`
  try {
    await redis.connect()
    await redis.ping()
    return ok('Queue', `Bull through ${place}`)
  } catch (error) {
    return failed(
      'Queue',
      `${place} is not responding: ${messageOf(error)}`,
      'Start Redis or correct REDIS_URL; until then jobs wait in the database',
    )
  } finally {
    redis.disconnect()
  }
}
