import type { FieldErrors } from '../kernel/errors.ts'
import type { PayeeValues } from '../ports/payment-gateway.ts'

export const payeeProviders = ['stripeDets', 'payPalDets', 'secureTradingDets'] as const
export type PayeeProvider = (typeof payeeProviders)[number]

export interface PayeeField {
  name: string
  label: string
  /** The field of the account that stores it. */
  column: string
  /** Can be set, but is never shown. */
  isSecret: boolean
  isRequired: boolean
  hint: string
}

interface Payee {
  name: string
  /** The payment methods offered to buyers. */
  offers: string
  /** Its name in the address that receives its webhooks: `/api/webhooks/<sender>/<publisher id>`. */
  sender: string
  fields: readonly PayeeField[]
}

const required = { isRequired: true }

/** The table of payment credentials: per provider the fields under the specification's names. */
export const payees: Record<PayeeProvider, Payee> = {
  stripeDets: {
    name: 'Stripe',
    offers: 'card, wallet and direct debit',
    sender: 'stripe',
    fields: [
      {
        ...required,
        name: 'publishableKey',
        label: 'Publishable key',
        column: 'stripePublishableKey',
        isSecret: false,
        hint: 'Begins with pk_',
      },
      {
        ...required,
        name: 'secretKey',
        label: 'Secret key',
        column: 'stripeSecretKey',
        isSecret: true,
        hint: 'Begins with sk_ or rk_',
      },
      {
        name: 'webhookSecret',
        label: 'Webhook signing secret',
        column: 'stripeWebhookSecret',
        isSecret: true,
        isRequired: false,
        hint: 'Begins with whsec_',
      },
    ],
  },
  payPalDets: {
    name: 'PayPal',
    offers: 'PayPal',
    sender: 'paypal',
    fields: [
      {
        ...required,
        name: 'payPalString',
        label: 'Client ID',
        column: 'paypalClientId',
        isSecret: false,
        hint: 'From your app in the PayPal developer dashboard',
      },
      {
        ...required,
        name: 'secret',
        label: 'Secret',
        column: 'paypalSecret',
        isSecret: true,
        hint: 'Shown next to the client ID',
      },
      {
        name: 'webhookId',
        label: 'Webhook ID',
        column: 'paypalWebhookId',
        isSecret: false,
        isRequired: false,
        hint: 'PayPal shows it next to the webhook. Without it, webhooks are refused.',
      },
    ],
  },
  secureTradingDets: {
    name: 'Secure Trading',
    offers: 'card through Secure Trading',
    sender: 'secure-trading',
    fields: [
      {
        ...required,
        name: 'user',
        label: 'Web services user',
        column: 'secureTradingUser',
        isSecret: false,
        hint: 'Looks like an email address',
      },
      {
        ...required,
        name: 'pass',
        label: 'Web services password',
        column: 'secureTradingPassword',
        isSecret: true,
        hint: 'The password of the web services user',
      },
      {
        ...required,
        name: 'ref',
        label: 'Site reference',
        column: 'secureTradingReference',
        isSecret: false,
        hint: 'For example, test_company12345',
      },
      {
        name: 'sitePass',
        label: 'Site security password',
        column: 'secureTradingSitePassword',
        isSecret: true,
        isRequired: false,
        hint: 'Agreed with Secure Trading, to sign the data exchanged with its payment page',
      },
    ],
  },
}

export type PayeeMode = 'live' | 'test'

/** Whether keys move real money. PayPal's keys do not show it, so there the installation decides. */
export function payeeMode(provider: PayeeProvider, values: PayeeValues, isProduction: boolean): PayeeMode | null {
  switch (provider) {
    case 'stripeDets':
      return stripeMode(values.secretKey) ?? stripeMode(values.publishableKey)
    case 'payPalDets':
      return values.payPalString ? (isProduction ? 'live' : 'test') : null
    case 'secureTradingDets':
      return values.ref ? (values.ref.startsWith('test_') ? 'test' : 'live') : null
  }
}

function stripeMode(key: string | null | undefined): PayeeMode | null {
  const mode = /^[a-z]+_(live|test)_/.exec(key ?? '')?.[1]
  return mode === 'live' || mode === 'test' ? mode : null
}

/** A secret masked for the screen: its kind and last four characters, where it is long enough that they reveal nothing. */
export function maskSecret(secret: string): string {
  const kind = /^(?:(?:sk|rk)_(?:live|test)_|whsec_)/.exec(secret)?.[0] ?? ''
  return secret.length - kind.length >= 12 ? `${kind}…${secret.slice(-4)}` : `${kind}…`
}

const formats: Record<string, { pattern: RegExp; message: string }> = {
  'stripeDets.publishableKey': {
    pattern: /^pk_(live|test)_\w{8,}$/,
    message: 'A publishable key begins with pk_test_ or pk_live_. Copy it whole from the Stripe dashboard.',
  },
  'stripeDets.secretKey': {
    pattern: /^(sk|rk)_(live|test)_\w{8,}$/,
    message: 'A secret key begins with sk_ or rk_, then test_ or live_. Copy it whole from the Stripe dashboard.',
  },
  'stripeDets.webhookSecret': {
    pattern: /^whsec_[\w+/=]{8,}$/,
    message: 'A webhook signing secret begins with whsec_. It is shown next to the endpoint in the Stripe dashboard.',
  },
  'payPalDets.payPalString': { pattern: /^[\w-]{10,200}$/, message: 'A client ID has letters, digits, - and _ only' },
  'payPalDets.secret': { pattern: /^[\w-]{10,200}$/, message: 'A secret has letters, digits, - and _ only' },
  'payPalDets.webhookId': { pattern: /^\w{8,100}$/, message: 'A webhook ID has letters and digits only' },
  'secureTradingDets.user': { pattern: /^[^\s:]{3,200}$/, message: 'A web services user has no spaces or colons' },
  'secureTradingDets.ref': { pattern: /^\w{3,50}$/, message: 'A site reference has letters, digits and _ only' },
}

/**
 * What is wrong with a provider's keys, by field. `typed` is what the form sent; `values` is what would be stored: the typed keys, and the
 * stored key for each field left blank.
 */
export function payeeProblems(
  provider: PayeeProvider,
  typed: PayeeValues,
  values: PayeeValues,
  isProduction: boolean,
): FieldErrors {
  const errors: FieldErrors = {}
  for (const { name, isRequired } of payees[provider].fields) {
    const path = `${provider}.${name}`
    const value = values[name]
    if (!value) {
      if (isRequired) errors[path] = 'Required'
      continue
    }
    if (!typed[name]) continue
    const problem = formatProblem(path, value) ?? liveProblem(provider, name, value, isProduction)
    if (problem) errors[path] = problem
  }
  const publishableMode = stripeMode(values.publishableKey)
  const secretMode = stripeMode(values.secretKey)
  if (provider === 'stripeDets' && publishableMode && secretMode && publishableMode !== secretMode) {
    errors['stripeDets.secretKey'] ??=
      `This is a ${secretMode} key and the publishable key is a ${publishableMode} key. Take both from the same mode.`
  }
  return errors
}

function formatProblem(path: string, value: string): string | undefined {
  const format = formats[path]
  if (!format || format.pattern.test(value)) return undefined
  if (path === 'stripeDets.publishableKey' && /^(sk|rk)_/.test(value)) {
    return 'This is a secret key. The publishable key begins with pk_.'
  }
  if (path === 'stripeDets.secretKey' && value.startsWith('pk_')) {
    return 'This is a publishable key. The secret key begins with sk_ or rk_.'
  }
  return format.message
}

function liveProblem(provider: PayeeProvider, name: string, value: string, isProduction: boolean): string | undefined {
  if (isProduction || payeeMode(provider, { [name]: value }, false) !== 'live') return undefined
  const testKey = provider === 'stripeDets' ? 'the key with _test_ in it' : 'the site reference that begins with test_'
  return `This would move real money, and this is not a production installation. Use ${testKey}.`
}
