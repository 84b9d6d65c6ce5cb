import { maskPasswords } from '#core/kernel/mask-passwords.rules.ts'
import { type Env, type SettingName, settingNames } from './env.ts'
import type { StoredSettings } from './settings-files.ts'

/** A setting as it may be shown: its value contains no secret. */
export interface ShownSetting {
  name: SettingName
  /** Null if it is not set and has no default. */
  value: string | null
  /** `environment`, `default`, or the path of the file it is from. */
  from: string
}

const secrets: ReadonlySet<SettingName> = new Set([
  'APP_SECRET',
  'MAIL_BOUNCES_TOKEN',
  'MAIL_POSTMARK_SECRET',
  'MAIL_MAILGUN_SIGNING_KEY',
  'PLATFORM_STRIPE_SECRET_KEY',
  'PLATFORM_STRIPE_WEBHOOK_SECRET',
  'POSTCODE_LOOKUP_KEY',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
])

/** Every setting with its value and its source. `env` is null if the settings are invalid: their defaults are then unknown. */
export function shownSettings({ values, from }: StoredSettings, env: Env | null): ShownSetting[] {
  const effective = env && effectiveValues(env)
  return settingNames.map((name) => {
    const source = from[name]
    if (source === undefined) return { name, value: text(effective?.[name] ?? null), from: 'default' }
    return { name, value: secrets.has(name) ? '(hidden)' : withoutPasswords(values[name] ?? ''), from: source }
  })
}

/** Whether a setting whose value is a secret is in this file. */
export function hasSecrets({ values, from }: StoredSettings, file: string): boolean {
  const isSecret = (name: string) =>
    secrets.has(name as SettingName) || withoutPasswords(values[name] ?? '') !== values[name]
  return Object.keys(from).some((name) => from[name] === file && isSecret(name))
}

/** Hides the passwords in an address: before its host, and among its parameters. */
function withoutPasswords(value: string): string {
  return maskPasswords(value).replace(/([?&][^=&]*(?:password|secret|token|key)[^=&]*=)[^&]*/gi, '$1***')
}

function text(value: string | number | boolean | null): string | null {
  return value === null ? null : withoutPasswords(String(value))
}

/** The values that the installation runs with: for a setting that is not set, its default. */
function effectiveValues(env: Env): Record<SettingName, string | number | null> {
  return {
    NODE_ENV: env.isProduction ? 'production' : 'development',
    PORT: env.port,
    HOST: env.host ?? null,
    DATA_DIR: env.dataDir,
    DATABASE_URL: env.databaseUrl,
    DATABASE_CONNECTIONS: env.databaseConnections,
    REDIS_URL: env.redisUrl ?? null,
    APP_SECRET: '(hidden, in DATA_DIR/app-secret)',
    APP_URL: env.appUrl,
    MAIL_URL: env.mailUrl ?? null,
    MAIL_FROM: env.mailFrom,
    MAIL_OFFERS_FROM: env.mailOffersFrom,
    MAIL_BOUNCES: env.mailBounces,
    MAIL_BOUNCES_IMAP: env.mailBouncesImap,
    MAIL_BOUNCES_TOKEN: null,
    MAIL_SES_TOPIC: env.mailReports.sesTopic,
    MAIL_POSTMARK_SECRET: null,
    MAIL_MAILGUN_SIGNING_KEY: null,
    SNS_BASE: env.snsBase,
    MAIL_DKIM_DOMAIN: env.mailDkim?.domain ?? null,
    MAIL_DKIM_SELECTOR: env.mailDkim?.selector ?? null,
    MAIL_DKIM_KEY_FILE: null,
    MAIL_SPF_INCLUDE: env.mailSpfInclude,
    MAIL_DNS: env.mailDns,
    MAIL_CONNECTIONS: env.mailConnections,
    MAIL_TIMEOUT_SECONDS: env.mailTimeoutSeconds,
    MAIL_PER_MINUTE: env.mailPace.perMinute,
    MAIL_PER_MINUTE_PER_DOMAIN: env.mailPace.perMinutePerDomain,
    MAIL_BODY_DAYS: env.mailBodyDays,
    CONTACT_EMAIL: env.contactEmail,
    SEED: env.seed,
    TIME_ZONE: env.timeZone,
    PASSWORD_MIN_LENGTH: env.passwordMinLength,
    REQUIRE_TWO_STEP: env.requireTwoStep,
    AUDIT_KEEP_DAYS: env.auditKeepDays,
    UPLOAD_MAX_BYTES: env.uploadMaxBytes,
    UPLOAD_WAITING_FILES: env.uploadWaitingFiles,
    UPLOAD_WAITING_BYTES: env.uploadWaitingBytes,
    UPLOAD_FREE_BYTES: env.uploadFreeBytes,
    REQUEST_SECONDS: env.requestSeconds,
    ALLOW_DEMO_PAYMENTS: env.allowsDemoPayments ? '1' : null,
    PLATFORM_STRIPE_SECRET_KEY: null,
    PLATFORM_STRIPE_PUBLISHABLE_KEY: null,
    PLATFORM_STRIPE_WEBHOOK_SECRET: null,
    PLATFORM_INVOICE_FROM: env.planSeller.lines.join(', '),
    PLATFORM_VAT_NUMBER: env.planSeller.vatNumber,
    STRIPE_API_BASE: env.stripeApiBase,
    PAYPAL_API_BASE: env.paypalApiBase,
    SECURE_TRADING_BASE: env.secureTradingBase,
    SECURE_TRADING_PAGES_BASE: env.secureTradingPagesBase,
    POSTCODE_LOOKUP_PROVIDER: env.postcodeLookup?.provider ?? 'none',
    POSTCODE_LOOKUP_KEY: null,
    POSTCODE_LOOKUP_BASE: env.postcodeLookup && 'base' in env.postcodeLookup ? env.postcodeLookup.base : null,
    SITE_VIDEO_URL: env.siteVideoUrl,
    SITE_PROMISES: env.sitePromises.join(', ') || 'none',
    WEBHOOKS_TO_LOOPBACK: env.webhooksToLoopback ? '1' : null,
    TRANSFERS_TO_LOOPBACK: env.transfersToLoopback ? '1' : null,
    TRANSFER_SETTLE_SECONDS: String(env.transferSettleSeconds),
    COUNTRY_HEADER: env.countryHeader,
    STORAGE_URL: null,
    AWS_REGION: null,
    AWS_DEFAULT_REGION: null,
    AWS_ACCESS_KEY_ID: null,
    AWS_SECRET_ACCESS_KEY: null,
    AWS_SESSION_TOKEN: null,
    LOG_LEVEL: env.logLevel,
  }
}
