import { createPrivateKey, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { isEmailAddress } from '#core/kernel/email.rules.ts'
import { AppError } from '#core/kernel/errors.ts'
import { type SitePromise, sitePromises } from '#core/kernel/site-promises.ts'
import { nearest } from '#core/kernel/text-format.ts'
import type { DkimKey } from '#core/ports/mailer.ts'
import { blankAsMissing, optionalSetting } from './optional-setting.ts'
import { type PostcodeSettings, postcodeSettings, postcodeVariables } from './postcodes/postcode-settings.ts'
import { projectRoot } from './project-root.ts'
import type { StoredSettings, Variables } from './settings-files.ts'
import { readStorageUrl, type S3Storage } from './storage-url.ts'
import { systemFailure } from './system-failure.ts'

/** The message says what the value must be, whatever is wrong with it. */
function wholeNumber(min = 1, max = Number.MAX_SAFE_INTEGER) {
  const message = `must be a whole number${max === Number.MAX_SAFE_INTEGER ? `, ${min} or more` : ` from ${min} to ${max}`}`
  return z.coerce.number(message).int(message).min(min, message).max(max, message)
}

const number = (fallback: number, schema = wholeNumber()) => z.preprocess(blankAsMissing, schema.default(fallback))

function isMailboxAddress(url: string): boolean {
  if (!/^imaps?:\/\/[^\s:@/]+:[^\s@/]+@[^\s@/]+(\/\S*)?$/.test(url) || !URL.canParse(url)) return false
  try {
    const { username, password, pathname } = new URL(url)
    for (const part of [username, password, pathname]) decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}

/** Whoever knows this secret can report bounces, and so have the address of any recipient marked. */
const secretText = z.string().min(20, 'must be at least 20 characters long, for example from: openssl rand -hex 24')

function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}

const EnvInput = z.object({
  NODE_ENV: optionalSetting(z.string()),
  PORT: number(3000, wholeNumber(1, 65_535)),
  HOST: optionalSetting(z.string()),
  DATA_DIR: optionalSetting(z.string()),
  DATABASE_URL: optionalSetting(z.string()),
  DATABASE_CONNECTIONS: number(10, wholeNumber(2)),
  REDIS_URL: optionalSetting(z.string().regex(/^rediss?:\/\//, 'must begin with redis:// or rediss://')),
  APP_SECRET: optionalSetting(z.string().min(32, 'must be at least 32 characters long')),
  APP_URL: optionalSetting(z.url('must be a web address such as https://subscriptions.example.com')),
  MAIL_URL: optionalSetting(z.string().regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://')),
  // Less strict than a reader's address: a machine without a domain sends from masthead@localhost.
  MAIL_FROM: optionalSetting(
    z.string().regex(/^[^\s@<>",]+@[^\s@<>",]+$/, 'must be an email address without a name, such as mail@example.com'),
  ),
  MAIL_OFFERS_FROM: optionalSetting(z.string().refine(isEmailAddress, 'must be an email address')),
  MAIL_BOUNCES: optionalSetting(
    z
      .string()
      .refine(isEmailAddress, 'must be an email address')
      .regex(
        /^[^@+]{1,39}@/,
        'must have a name of at most 39 characters without +, as each email adds a tag of its own',
      ),
  ),
  MAIL_BOUNCES_IMAP: optionalSetting(
    z
      .string()
      .refine(
        isMailboxAddress,
        'must be imaps://user:password@host/INBOX, with every character of user and password that is not a letter or digit percent-encoded (@ is %40)',
      ),
  ),
  MAIL_BOUNCES_TOKEN: optionalSetting(secretText),
  MAIL_SES_TOPIC: optionalSetting(
    z
      .string()
      .regex(
        /^arn:aws(-cn)?:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/,
        'must be the ARN of an SNS topic: arn:aws:sns:eu-west-1:123456789012:bounces',
      ),
  ),
  MAIL_POSTMARK_SECRET: optionalSetting(secretText),
  MAIL_MAILGUN_SIGNING_KEY: optionalSetting(z.string()),
  SNS_BASE: optionalSetting(z.url('must be a web address')),
  MAIL_DKIM_DOMAIN: optionalSetting(
    z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i, 'must be a domain such as example.com'),
  ),
  MAIL_DKIM_SELECTOR: optionalSetting(
    z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/i, 'must be letters, digits and hyphens, such as masthead'),
  ),
  MAIL_DKIM_KEY_FILE: optionalSetting(z.string()),
  MAIL_SPF_INCLUDE: optionalSetting(
    z.string().regex(/^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/i, 'must be a host such as _spf.example.com, without include:'),
  ),
  MAIL_DNS: optionalSetting(
    z
      .string()
      .regex(/^(?:[\d.]+|\[[\da-f:]+\])(?::\d+)?$/i, 'must be the IP address of a DNS server, such as 192.0.2.53:53'),
  ),
  MAIL_CONNECTIONS: number(20),
  MAIL_TIMEOUT_SECONDS: number(60),
  MAIL_BODY_DAYS: number(400, wholeNumber(0)),
  MAIL_PER_MINUTE: optionalSetting(wholeNumber()),
  MAIL_PER_MINUTE_PER_DOMAIN: optionalSetting(wholeNumber()),
  CONTACT_EMAIL: optionalSetting(z.string().refine(isEmailAddress, 'must be an email address')),
  SEED: optionalSetting(z.enum(['demo', 'none'], 'must be demo or none')),
  TIME_ZONE: optionalSetting(z.string().refine(isTimeZone, 'must be a time zone such as Europe/London')),
  PASSWORD_MIN_LENGTH: number(6),
  REQUIRE_TWO_STEP: optionalSetting(z.enum(['superuser', 'all', 'none'], 'must be superuser, all or none')),
  AUDIT_KEEP_DAYS: number(730),
  UPLOAD_MAX_BYTES: number(2 * 1024 ** 3),
  UPLOAD_WAITING_FILES: number(20),
  UPLOAD_WAITING_BYTES: optionalSetting(wholeNumber()),
  UPLOAD_FREE_BYTES: number(512 * 1024 ** 2),
  REQUEST_SECONDS: number(60),
  ALLOW_DEMO_PAYMENTS: optionalSetting(z.string()),
  PLATFORM_STRIPE_SECRET_KEY: optionalSetting(
    z.string().regex(/^[sr]k_(test|live)_/, 'must begin with sk_test_ or sk_live_'),
  ),
  PLATFORM_STRIPE_PUBLISHABLE_KEY: optionalSetting(
    z.string().regex(/^pk_(test|live)_/, 'must begin with pk_test_ or pk_live_'),
  ),
  PLATFORM_STRIPE_WEBHOOK_SECRET: optionalSetting(z.string().regex(/^whsec_/, 'must begin with whsec_')),
  PLATFORM_INVOICE_FROM: optionalSetting(z.string()),
  PLATFORM_VAT_NUMBER: optionalSetting(
    z.string().regex(/^[A-Z]{2}[A-Z0-9 ]{2,15}$/, 'must be a VAT number with its country, such as GB123456789'),
  ),
  STRIPE_API_BASE: optionalSetting(z.url('must be a web address')),
  PAYPAL_API_BASE: optionalSetting(z.url('must be a web address')),
  SECURE_TRADING_BASE: optionalSetting(z.url('must be a web address')),
  SECURE_TRADING_PAGES_BASE: optionalSetting(z.url('must be a web address')),
  ...postcodeVariables,
  SITE_VIDEO_URL: optionalSetting(
    z
      .string()
      .regex(
        /^(https:\/\/\S+|\/[^/\s]\S*)$/,
        'must be the address of an MP4 or WebM file, https://… or a path of this site',
      ),
  ),
  SITE_PROMISES: optionalSetting(
    z
      .string()
      .transform((list) => [...new Set(list.split(/[\s,]+/).filter((word) => word !== '' && word !== 'none'))])
      .pipe(z.array(z.enum(sitePromises, `must be none, or some of ${sitePromises.join(', ')}`))),
  ),
  WEBHOOKS_TO_LOOPBACK: optionalSetting(z.enum(['1'], 'must be 1 or left out')),
  TRANSFERS_TO_LOOPBACK: optionalSetting(z.enum(['1'], 'must be 1 or left out')),
  TRANSFER_SETTLE_SECONDS: number(10, wholeNumber(0)),
  COUNTRY_HEADER: optionalSetting(z.string().regex(/^[\w-]+$/, 'must be the name of a header, such as cf-ipcountry')),
  STORAGE_URL: optionalSetting(z.string()),
  AWS_REGION: optionalSetting(z.string()),
  AWS_DEFAULT_REGION: optionalSetting(z.string()),
  AWS_ACCESS_KEY_ID: optionalSetting(z.string()),
  AWS_SECRET_ACCESS_KEY: optionalSetting(z.string()),
  AWS_SESSION_TOKEN: optionalSetting(z.string()),
  LOG_LEVEL: optionalSetting(
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'must be trace, debug, info, warn, error or silent'),
  ),
})

export type SettingName = keyof typeof EnvInput.shape
export const settingNames = Object.keys(EnvInput.shape) as SettingName[]

/** The settings of this installation, read once. See docs/operating.md for each. */
export interface Env {
  isProduction: boolean
  port: number
  host: string | undefined
  dataDir: string
  databaseUrl: string
  /** How many connections to PostgreSQL this process opens for requests and jobs; bulk operations have their own. */
  databaseConnections: number
  redisUrl: string | undefined
  appSecret: string
  appUrl: string
  mailUrl: string | undefined
  mailFrom: string
  /** The sender of offers; null: `mailFrom`. */
  mailOffersFrom: string | null
  /** Who is notified of undeliverable emails; null: `mailFrom`. */
  mailBounces: string | null
  /** The mailbox that undeliverable emails come back to; null: it is not read. */
  mailBouncesImap: string | null
  /** The secrets that verify delivery reports sent by webhook; null: reports of that kind are not accepted. */
  mailReports: {
    messageToken: string | null
    sesTopic: string | null
    postmarkSecret: string | null
    mailgunKey: string | null
  }
  /** The replacement for Amazon's notification servers; null: none. */
  snsBase: string | null
  /** The key that signs emails; null: the mail server signs them, or they are unsigned. */
  mailDkim: DkimKey | null
  /** The host that SPF records of publishers' own domains must include; null: nothing. */
  mailSpfInclude: string | null
  /** The DNS server that is queried about senders' domains; null: the machine's own. */
  mailDns: string | null
  /** How many emails are handed to the mail server concurrently. */
  mailConnections: number
  /** The timeout for handing over one email, in seconds. */
  mailTimeoutSeconds: number
  /** The rate limit of emails per minute, in total and per recipient domain; null: unlimited. */
  mailPace: { perMinute: number | null; perMinutePerDomain: number | null }
  /** How many days the bodies of emails are kept. */
  mailBodyDays: number
  /** Who receives the messages of the contact form. */
  contactEmail: string
  seed: 'demo' | 'none'
  timeZone: string
  passwordMinLength: number
  requireTwoStep: 'superuser' | 'all' | 'none'
  auditKeepDays: number
  /** The largest file that is accepted from a browser or the API. */
  uploadMaxBytes: number
  /** How many files of a publisher may wait to be imported, and their total size in bytes. */
  uploadWaitingFiles: number
  uploadWaitingBytes: number
  /** The disk space that uploads must leave free. */
  uploadFreeBytes: number
  /** How long a request may take to arrive. */
  requestSeconds: number
  allowsDemoPayments: boolean
  /** The installation's own account, which publishers pay for their plan. */
  planStripeKeys: { secretKey: string; publishableKey: string; webhookSecret: string | null } | null
  /** Who bills the plans: a name, then the lines of an address. */
  planSeller: { lines: string[]; vatNumber: string | null }
  stripeApiBase: string
  paypalApiBase: string
  secureTradingBase: string
  /** Where Secure Trading's hosted pages are. */
  secureTradingPagesBase: string
  postcodeLookup: PostcodeSettings
  /** Whether webhooks may go to this machine, for tests and development. */
  webhooksToLoopback: boolean
  /** Whether files may be fetched from this machine and put there, for tests and development. */
  transfersToLoopback: boolean
  /** How long the size of a file on a server must be unchanged before it is fetched. */
  transferSettleSeconds: number
  /** The video that the landing page shows; null: none. */
  siteVideoUrl: string | null
  /** Promises on the landing page that the operator has to keep. */
  sitePromises: readonly SitePromise[]
  /** The header in which a trusted proxy gives a visitor's country; null: none does. */
  countryHeader: string | null
  /** Where pictures are stored; null is a folder in the data folder. */
  storage: S3Storage | null
  logLevel: string
}

/** The settings of this installation from all their sources. An unknown name in a file is refused: it is probably misspelt. */
export function loadEnv({ values, from }: StoredSettings): Env {
  const unknown = Object.keys(from).filter((name) => from[name] !== 'environment' && !isSetting(name))
  if (unknown.length > 0) {
    const problems = unknown.map((name) => {
      const near = nearest(name, settingNames)
      return `${name} in ${from[name]} is not a setting${near ? `, did you mean ${near}?` : ''}`
    })
    throw new AppError('invalid', `The settings are wrong: ${problems.join('; ')}`, {
      hint: 'Correct the name, or leave the line out; every setting: docs/operating.md',
    })
  }
  return readEnv(values)
}

function isSetting(name: string): boolean {
  return Object.hasOwn(EnvInput.shape, name)
}

/** Reads the settings, and reports all their problems together. */
export function readEnv(source: Variables): Env {
  const result = EnvInput.safeParse(source)
  if (!result.success) {
    const problems = result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`)
    throw new AppError('invalid', `The settings are wrong: ${problems.join('; ')}`, { hint: 'See docs/operating.md' })
  }
  const env = result.data
  const isProduction = env.NODE_ENV === 'production'
  const dataDir = resolve(projectRoot(), env.DATA_DIR ?? 'data')
  return {
    isProduction,
    port: env.PORT,
    host: env.HOST,
    dataDir,
    databaseUrl: databaseAddress(env.DATABASE_URL ?? `sqlite:${join(dataDir, 'masthead.db')}`),
    databaseConnections: env.DATABASE_CONNECTIONS,
    redisUrl: env.REDIS_URL,
    appSecret: env.APP_SECRET ?? localSecret(dataDir, isProduction),
    appUrl: (env.APP_URL ?? `http://localhost:${env.PORT}`).replace(/\/$/, ''),
    mailUrl: env.MAIL_URL,
    mailFrom: env.MAIL_FROM ?? 'masthead@localhost',
    mailOffersFrom: env.MAIL_OFFERS_FROM ?? null,
    mailBounces: env.MAIL_BOUNCES ?? null,
    mailBouncesImap: env.MAIL_BOUNCES_IMAP ?? null,
    mailReports: {
      messageToken: env.MAIL_BOUNCES_TOKEN ?? null,
      sesTopic: env.MAIL_SES_TOPIC ?? null,
      postmarkSecret: env.MAIL_POSTMARK_SECRET ?? null,
      mailgunKey: env.MAIL_MAILGUN_SIGNING_KEY ?? null,
    },
    snsBase: env.SNS_BASE?.replace(/\/$/, '') ?? null,
    mailDkim: dkimKey(env),
    mailSpfInclude: env.MAIL_SPF_INCLUDE?.toLowerCase() ?? null,
    mailDns: env.MAIL_DNS ?? null,
    mailConnections: env.MAIL_CONNECTIONS,
    mailTimeoutSeconds: env.MAIL_TIMEOUT_SECONDS,
    mailPace: {
      perMinute: env.MAIL_PER_MINUTE ?? null,
      perMinutePerDomain: env.MAIL_PER_MINUTE_PER_DOMAIN ?? null,
    },
    mailBodyDays: env.MAIL_BODY_DAYS,
    contactEmail: env.CONTACT_EMAIL ?? env.MAIL_FROM ?? 'masthead@localhost',
    seed: env.SEED ?? (isProduction ? 'none' : 'demo'),
    timeZone: env.TIME_ZONE ?? 'Europe/London',
    passwordMinLength: env.PASSWORD_MIN_LENGTH,
    requireTwoStep: env.REQUIRE_TWO_STEP ?? 'none',
    auditKeepDays: env.AUDIT_KEEP_DAYS,
    uploadMaxBytes: env.UPLOAD_MAX_BYTES,
    uploadWaitingFiles: env.UPLOAD_WAITING_FILES,
    uploadWaitingBytes: env.UPLOAD_WAITING_BYTES ?? 3 * env.UPLOAD_MAX_BYTES,
    uploadFreeBytes: env.UPLOAD_FREE_BYTES,
    requestSeconds: env.REQUEST_SECONDS,
    planStripeKeys: planStripeKeys(env, isProduction),
    planSeller: {
      lines: (env.PLATFORM_INVOICE_FROM ?? 'Masthead').split(',').map((line) => line.trim()),
      vatNumber: env.PLATFORM_VAT_NUMBER ?? null,
    },
    stripeApiBase: env.STRIPE_API_BASE ?? 'https://api.stripe.com',
    // Real money moves in production only (security: live keys are refused elsewhere).
    paypalApiBase:
      env.PAYPAL_API_BASE ?? (isProduction ? 'https://api-m.paypal.com' : 'https://api-m.sandbox.paypal.com'),
    secureTradingBase: env.SECURE_TRADING_BASE ?? 'https://webservices.securetrading.net',
    secureTradingPagesBase: (env.SECURE_TRADING_PAGES_BASE ?? 'https://payments.securetrading.net').replace(/\/$/, ''),
    allowsDemoPayments: !isProduction || env.ALLOW_DEMO_PAYMENTS === '1',
    postcodeLookup: postcodeSettings(env, isProduction),
    webhooksToLoopback: env.WEBHOOKS_TO_LOOPBACK === '1',
    transfersToLoopback: env.TRANSFERS_TO_LOOPBACK === '1',
    transferSettleSeconds: env.TRANSFER_SETTLE_SECONDS,
    siteVideoUrl: env.SITE_VIDEO_URL ?? null,
    sitePromises: env.SITE_PROMISES ?? (isProduction ? [] : sitePromises),
    countryHeader: env.COUNTRY_HEADER?.toLowerCase() ?? null,
    storage: env.STORAGE_URL ? readStorageUrl(env.STORAGE_URL, env) : null,
    logLevel: env.LOG_LEVEL ?? 'info',
  }
}

/** A relative path of an SQLite file is resolved from the installation's folder, as DATA_DIR is, wherever a command is run. */
function databaseAddress(url: string): string {
  const [, file] = /^sqlite:([^:].*)$/.exec(url) ?? []
  return file === undefined ? url : `sqlite:${resolve(projectRoot(), file)}`
}

/** All three settings or none. The key is read at start-up: an email without its signature would be taken for forged. */
function dkimKey({
  MAIL_DKIM_DOMAIN: domain,
  MAIL_DKIM_SELECTOR: selector,
  MAIL_DKIM_KEY_FILE: file,
}: z.output<typeof EnvInput>): DkimKey | null {
  if (!domain && !selector && !file) return null
  const wrong = (message: string, hint: string, cause?: unknown) =>
    new AppError('invalid', `The settings are wrong: ${message}`, { hint, cause })
  if (!domain || !selector || !file)
    throw wrong(
      'only some of MAIL_DKIM_DOMAIN, MAIL_DKIM_SELECTOR and MAIL_DKIM_KEY_FILE are set',
      'Set all three, or none',
    )
  try {
    const privateKey = readFileSync(resolve(projectRoot(), file), 'utf8')
    if (createPrivateKey(privateKey).asymmetricKeyType !== 'rsa') throw new Error('it is not an RSA key')
    return { domain: domain.toLowerCase(), selector: selector.toLowerCase(), privateKey }
  } catch (cause) {
    throw wrong(
      `MAIL_DKIM_KEY_FILE ${file} cannot be used: ${(cause as Error).message}`,
      'Make one with: openssl genrsa -out dkim.pem 2048',
      cause,
    )
  }
}

/** Both keys or neither, of the same mode; live ones only in production. */
function planStripeKeys(
  {
    PLATFORM_STRIPE_SECRET_KEY: secretKey,
    PLATFORM_STRIPE_PUBLISHABLE_KEY: publishableKey,
    PLATFORM_STRIPE_WEBHOOK_SECRET: webhookSecret,
  }: z.output<typeof EnvInput>,
  isProduction: boolean,
): Env['planStripeKeys'] {
  if (!secretKey && !publishableKey && !webhookSecret) return null
  const wrong = (message: string, hint: string) =>
    new AppError('invalid', `The settings are wrong: ${message}`, { hint })
  if (!secretKey && !publishableKey)
    throw wrong(
      'PLATFORM_STRIPE_WEBHOOK_SECRET is set without the keys of its account',
      'Set PLATFORM_STRIPE_SECRET_KEY and PLATFORM_STRIPE_PUBLISHABLE_KEY as well, or leave it out',
    )
  if (!secretKey || !publishableKey)
    throw wrong(
      'only one of PLATFORM_STRIPE_SECRET_KEY and PLATFORM_STRIPE_PUBLISHABLE_KEY is set',
      'Set both, from the same Stripe account, or neither',
    )
  const isSecretLive = secretKey.includes('_live_')
  const isPublishableLive = publishableKey.includes('_live_')
  if (isSecretLive !== isPublishableLive)
    throw wrong('one of the PLATFORM_STRIPE keys is a test key and the other a live one', 'Set two of the same mode')
  if (isSecretLive && !isProduction)
    throw wrong('PLATFORM_STRIPE_SECRET_KEY is a live key outside production', 'Use test keys, or NODE_ENV=production')
  return { secretKey, publishableKey, webhookSecret: webhookSecret ?? null }
}

/** Outside production a secret is generated once and stored next to the data, so that sessions outlive a restart. */
function localSecret(dataDir: string, isProduction: boolean): string {
  if (isProduction) {
    throw new AppError('invalid', 'APP_SECRET is not set', {
      hint: 'Set APP_SECRET to at least 32 random characters, for example from: openssl rand -base64 48',
    })
  }
  const file = join(dataDir, 'app-secret')
  try {
    mkdirSync(dataDir, { recursive: true })
    const storedSecret = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
    // A disk that filled up leaves an empty file.
    if (storedSecret !== '') return storedSecret
    const secret = randomBytes(48).toString('base64url')
    writeFileSync(file, secret, { mode: 0o600 })
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    throw systemFailure(cause, file) ?? cause
  }
}
