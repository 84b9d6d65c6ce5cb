import type { IssueOnSale } from '../back-issues/issue-offer.rules.ts'
import type { Currency } from '../kernel/money.ts'
import { type FilledPhrase, phraseOf } from '../kernel/phrases.ts'
import type { PaidProvider } from '../payment-methods/payment-methods.rules.ts'
import type { Product } from '../pricing/plan-code.rules.ts'
import type { PriceRow } from '../pricing/price-table.rules.ts'
import type { Theme } from '../pricing/theme.rules.ts'

export const questionKeys = ['A', 'B', 'C', 'D', 'E'] as const
type QuestionKey = (typeof questionKeys)[number]

/** A question of the publication: A and B are answered Yes or No, C to E as text. */
export interface StorefrontQuestion {
  key: QuestionKey
  text: string
  kind: 'yesNo' | 'text'
}

/** What any visitor may know about a publication and its publisher: the same for all visitors, and never a secret. */
export interface Storefront {
  id: number
  urlKey: string
  publicationName: string
  publicationInfo: string
  logoImage: string | null
  coverImage: string | null
  sampleEdition: string
  webAddress: string
  emailAddress: string
  theme: Theme
  /** Of each product; used for the price of a single issue. */
  issuesPerYear: number
  prices: PriceRow[]
  freeProducts: Product[]
  questions: StorefrontQuestion[]
  sellsBackIssues: boolean
  /** The back issues on sale; none while it does not sell back issues. */
  backIssues: IssueOnSale[]
  links: Record<
    'ios' | 'android' | 'kindle' | 'digitalEdition' | 'facebook' | 'twitter' | 'instagram' | 'youtube',
    string
  >
  publisher: {
    id: number
    companyName: string
    telephone: string
    emailAddress: string
    addressLines: string[]
    country: string
    mainCurrency: Currency
    sellsOverseas: boolean
  }
  /** The payment methods that its publisher has set up; none: only free plans can be ordered. */
  accepts: PaidProvider[]
  /** What a browser needs to talk to the publisher's Stripe account; empty if there is none. */
  stripePublishableKey: string
  /** The name of a direct debit on a bank statement. */
  statementName: string
  /** Whether the addresses of a British postcode can be looked up. */
  findsAddresses: boolean
  /** False while its publisher's plan does not include it, is long unpaid or has ended. Existing readers continue. */
  takesNewSubscriptions: boolean
  /** Its publisher is deactivated: its page still opens, but nothing is sold. */
  isClosed: boolean
}

/** What a closed storefront says, on its page and to programs. */
export const closedMessage = 'This shop is closed at the moment'

/** The message for visitors while no new subscriptions are taken. */
export function notTakingNewMessage({ publicationName }: Pick<Storefront, 'publicationName'>): FilledPhrase {
  return phraseOf(
    '{title} is not taking new subscriptions at the moment. If you are already a reader, log in to renew.',
    { title: publicationName },
  )
}

/** The prescribed text of error AC74 (spec 1, section 8), with the publisher's own telephone number and address inserted. */
export function noPaymentsMessage({ telephone, emailAddress: email }: Storefront['publisher']): FilledPhrase {
  return telephone
    ? phraseOf(
        'Unfortunately payments cannot currently be taken. Please contact the publisher on {telephone} or by emailing {email} quoting error code: AC74',
        { telephone, email },
      )
    : phraseOf(
        'Unfortunately payments cannot currently be taken. Please contact the publisher by emailing {email} quoting error code: AC74',
        { email },
      )
}
