import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { isAppError } from '#core/kernel/errors.ts'
import { type Check, failed, messageOf, ok, warning } from './doctor-check.ts'
import type { Env } from './env.ts'
import { openImageFiles } from './images/open-image-files.ts'
import { lookUpMailDomain } from './mail-domain.ts'
import { systemFailure } from './system-failure.ts'

/** How long a neighbour may take to answer, in ms. */
const timeoutMs = 5000

/** Writes, reads and removes a picture's file where they are kept. */
export async function checkPictures(env: Env): Promise<Check> {
  const files = openImageFiles(env)
  const probe = `doctor-${randomBytes(6).toString('hex')}`
  try {
    await files.put(probe, Buffer.from('x'), 'text/plain')
    const found = await files.open(probe)
    for await (const _ of found?.content ?? []) {
      // Read to its end, so that the connection is given back.
    }
    await files.remove(probe)
    return found
      ? ok('Pictures', `in ${files.place}`)
      : failed('Pictures', `${files.place} takes files and does not give them back`, 'Check STORAGE_URL')
  } catch (error) {
    return failed(
      'Pictures',
      `${files.place} cannot be used: ${String((isAppError(error) && error.detail) || messageOf(error))}`,
      env.storage
        ? 'Check STORAGE_URL, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and that the bucket is there'
        : (systemFailure(error, files.place)?.hint ?? 'Give the user that runs Masthead the right to write the folder'),
    )
  }
}

/** Whether Redis answers, where jobs go through it. */
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
      `${place} does not answer: ${messageOf(error)}`,
      'Start Redis or correct REDIS_URL; until then jobs wait in the database',
    )
  } finally {
    redis.disconnect()
  }
}

/** Whether the mail server takes mail, where there is one. */
export async function checkMail({ mailUrl, dataDir, isProduction }: Env): Promise<Check> {
  if (!mailUrl) {
    const kept = `no MAIL_URL: mail is kept in ${join(dataDir, 'mail')} and reaches nobody`
    return isProduction
      ? warning('Mail', kept, 'Set MAIL_URL, for example smtp://user:password@mail.example.com:587')
      : ok('Mail', kept)
  }
  const { default: nodemailer } = await import('nodemailer')
  const transport = nodemailer.createTransport(mailUrl, {})
  Object.assign(transport.options, {
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  })
  const { hostname, port } = new URL(mailUrl)
  const place = `${hostname}${port ? `:${port}` : ''}`
  try {
    await transport.verify()
    return ok('Mail', `${place} takes mail`)
  } catch (error) {
    return failed(
      'Mail',
      `${place} does not take mail: ${messageOf(error)}`,
      'Correct MAIL_URL or start the mail server',
    )
  } finally {
    transport.close()
  }
}

/** What the domain of MAIL_FROM says of itself to receivers; null where no mail leaves the machine. */
export async function checkMailDomain({ mailUrl, mailFrom, mailDkim, mailDns }: Env): Promise<Check | null> {
  if (!mailUrl) return null
  const name = 'Mail domain'
  const domain = mailFrom.slice(mailFrom.lastIndexOf('@') + 1).toLowerCase()
  if (!domain.includes('.'))
    return warning(name, `${mailFrom} is no address that can be answered`, 'Set MAIL_FROM to an address of your domain')
  try {
    const { spf, dmarc, dkim, problems } = await lookUpMailDomain({ domain, dkim: mailDkim, server: mailDns })
    const [first, ...others] = problems
    if (first !== undefined)
      return warning(name, [first, ...others].join('; '), 'Mails may be taken for spam until then')
    const signed = dkim === null ? 'signed by the mail server, if at all' : 'signed by us, its key is in DNS'
    return ok(name, `${domain}: SPF ${spf || 'without all'}, DMARC ${dmarc}, ${signed}`)
  } catch (error) {
    return warning(
      name,
      `DNS does not answer about ${domain}: ${messageOf(error)}`,
      'Check DNS on this machine, or MAIL_DNS',
    )
  }
}
