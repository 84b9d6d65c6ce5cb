import { AppError } from '#core/kernel/errors.ts'

/** A bucket of an S3-compatible store, and how to reach it. */
export interface S3Storage {
  bucket: string
  /** The prefix of every key: empty, or ending in a slash. */
  prefix: string
  region: string
  /** The store's address; Amazon's if empty. */
  endpoint: string | undefined
  /** Null: the client finds its own (a profile, the machine's role). */
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string } | null
}

interface AwsSettings {
  AWS_REGION?: string | undefined
  AWS_DEFAULT_REGION?: string | undefined
  AWS_ACCESS_KEY_ID?: string | undefined
  AWS_SECRET_ACCESS_KEY?: string | undefined
  AWS_SESSION_TOKEN?: string | undefined
}

/** Reads `s3://bucket/prefix?endpoint=https://…&region=…`. Keys are never in it: they come from the usual AWS variables. */
export function readStorageUrl(text: string, aws: AwsSettings): S3Storage {
  const wrong = (message: string) =>
    new AppError('invalid', `The settings are wrong: STORAGE_URL ${message}`, {
      hint: 'For example s3://bucket/prefix?endpoint=https://s3.example.com&region=eu-west-2; see docs/operating.md',
    })
  if (!text.startsWith('s3://') || !URL.canParse(text)) throw wrong('must begin with s3:// and name a bucket')
  const url = new URL(text)
  if (url.username || url.password)
    throw wrong('must not contain keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.host)) throw wrong('must name a bucket')
  const unknown = [...url.searchParams.keys()].filter((name) => name !== 'endpoint' && name !== 'region')
  if (unknown.length > 0) throw wrong(`does not know "${unknown[0]}"`)
  const endpoint = url.searchParams.get('endpoint') || undefined
  if (endpoint && !(/^https?:\/\//.test(endpoint) && URL.canParse(endpoint)))
    throw wrong('names an endpoint that is not a web address')
  const region = url.searchParams.get('region') || aws.AWS_REGION || aws.AWS_DEFAULT_REGION
  if (!region && !endpoint) throw wrong('names no region')
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '')
  return {
    bucket: url.host,
    prefix: prefix && `${decodeURIComponent(prefix)}/`,
    // Stores other than Amazon's mostly have one region and accept any name for it.
    region: region ?? 'us-east-1',
    endpoint,
    credentials: credentialsIn(aws),
  }
}

function credentialsIn({ AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN }: AwsSettings) {
  if (!AWS_ACCESS_KEY_ID && !AWS_SECRET_ACCESS_KEY) return null
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY)
    throw new AppError(
      'invalid',
      'The settings are wrong: only one of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY is set',
      { hint: 'Set both or neither' },
    )
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
  }
}
