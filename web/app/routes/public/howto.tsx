import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { Screen } from '#web/app/components/site/screen.tsx'
import { SiteFrame } from '#web/app/components/site/site-frame.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { visitorContext } from '#web/app/http/session.ts'
import { siteMeta } from '#web/app/http/site-meta.ts'
import type { Screenshot } from '#web/app/images/screenshots.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  siteMeta(data, {
    title: 'How it works, in 13 steps – Masthead',
    description: 'From the account to the first mailing file: how a magazine publisher sets up and runs subscriptions.',
  })

export function loader({ context }: LoaderFunctionArgs) {
  return { url: `${visitorContext(context).settings.appUrl}/howto` }
}

interface Step {
  id: string
  name: string
  text: ReactNode
  screenshot: Screenshot
  alt: string
}

const menu = (text: string) => <strong className="font-semibold text-ink">{text}</strong>

const steps: readonly Step[] = [
  {
    id: 'account',
    name: 'Account',
    text: (
      <>
        <p>
          Sign up, log in, and open {menu('My Account')}. Enter your company’s name and address as they should appear on
          receipts, the currency you mostly sell in, and whether you sell overseas.
        </p>
        <p>Turn two-step log-in on while you are there: your readers’ data is behind this password.</p>
      </>
    ),
    screenshot: 'account',
    alt: 'My Account with picture, company details and links to address, selling, payments and log-in',
  },
  {
    id: 'sync-user-keys',
    name: 'Sync user keys',
    text: (
      <>
        <p>
          Under Payments in {menu('My Account')}, enter the keys of your own Stripe, PayPal or Secure Trading account.
          They are checked at once, stored encrypted, and never shown again. What readers pay goes straight to you.
        </p>
        <p>Without keys you can set everything up, and sell free products.</p>
      </>
    ),
    screenshot: 'payments',
    alt: 'Payments in My Account: Stripe, PayPal and Secure Trading, each with a link to connect it',
  },
  {
    id: 'add-publication',
    name: 'Add publication',
    text: (
      <>
        <p>
          {menu('Publications')}, then the plus: seven steps from the name to the prices. A draft is kept as you go, so
          nothing is lost by closing the page.
        </p>
        <ul className="list-disc space-y-1 pl-5">
          <li>A logo looks best when it is 500 px wide.</li>
          <li>A cover looks best when it is 500 px tall.</li>
          <li>A description of 70 to 100 words reads best; the form counts them for you.</li>
        </ul>
      </>
    ),
    screenshot: 'add-publication',
    alt: 'The first of the seven steps: name, issues a year, handle, colour, and how the storefront will look',
  },
  {
    id: 'import-reader-data',
    name: 'Import reader data',
    text: (
      <>
        <p>
          {menu('Manage Data')}, Upload Additional Data. Start from the{' '}
          <a href="/assets/templates/reader-upload-template.csv" download className="link">
            template
          </a>
          , or upload the file you have and say which column is which. You see what would change before it is imported.
        </p>
        <p>Rows that cannot be imported come back as a file with the reasons: correct them and upload that one.</p>
      </>
    ),
    screenshot: 'upload',
    alt: 'Upload additional data: choose a file, match the columns, preview, import, result',
  },
  {
    id: 'create-user-accounts',
    name: 'Create user accounts',
    text: (
      <p>
        {menu('Users')} adds your colleagues: an administrator who does everything but the payment keys, a reader
        administrator who looks up and edits readers, and your mailing house, which downloads the mailing file and sees
        nothing else. Each is invited by email.
      </p>
    ),
    screenshot: 'users',
    alt: 'Users: four people with their roles, when they last logged in, and what can be done',
  },
  {
    id: 'manage-data',
    name: 'Manage data',
    text: (
      <p>
        {menu('Manage Data')} counts warnings: empty names, missing postcodes, addresses in the wrong fields,
        duplicates. Auto Fix shows before and after, changes only what is certain, and can be undone for 30 days.
      </p>
    ),
    screenshot: 'manage-data',
    alt: 'Manage Data: uploads and downloads of readers, and warnings with their counts',
  },
  {
    id: 'promo-codes',
    name: 'Promo codes',
    text: (
      <p>
        On a title’s card under {menu('Publications')}: a code, a percentage, from when to when, how often, and for
        which subscriptions. Each code has a link that applies it, for your newsletter or a poster.
      </p>
    ),
    screenshot: 'promo-codes',
    alt: 'Promo codes of a title: scheduled, used up, expired and live ones, with their uses and links',
  },
  {
    id: 'email-templates',
    name: 'Email templates',
    text: (
      <p>
        Receipts and renewal notices are written for you, in the reader’s language. Your own words appear above and
        below the order: enter them with the publication, beside the addresses that readers’ questions and your orders
        go to.
      </p>
    ),
    screenshot: 'mail-texts',
    alt: 'The opening and the end of the receipt email, in the form of a publication',
  },
  {
    id: 'storefront-purchases',
    name: 'Storefront purchases',
    text: (
      <p>
        Share the address of your storefront. Readers choose a plan and pay; the receipt goes out, the reader is on the
        list and the sale is in the ledger at the same moment. They come back to change their address, renew or buy a
        back issue.
      </p>
    ),
    screenshot: 'storefront',
    alt: 'The storefront of a title with its cover, description, country and order',
  },
  {
    id: 'sales-ledger',
    name: 'Sales ledger',
    text: (
      <p>
        {menu('Sales Ledger')} has every order: what came in, how much of it is earned, what you still owe in issues.
        Filter it, open an order to refund it or send the receipt again, download it for your accountant.
      </p>
    ),
    screenshot: 'ledger',
    alt: 'The sales ledger: totals in three currencies, a filter, and the newest orders',
  },
  {
    id: 'analytics',
    name: 'Analytics',
    text: (
      <p>
        {menu('Analytics')} shows views of your storefronts, new subscriptions by month, where buyers came from and
        which subscriptions are about to end. Nobody is tracked for it: visitors are counted without cookies.
      </p>
    ),
    screenshot: 'dashboard',
    alt: 'Analytics: views, unique views, and subscriptions started in each month of the year',
  },
  {
    id: 'maintain-reader-data',
    name: 'Maintain reader data',
    text: (
      <p>
        One search over all your titles finds a reader by name, email, postcode or reference. Edit, deactivate, bring
        back: the reader’s history shows each change, who made it and when.
      </p>
    ),
    screenshot: 'reader',
    alt: 'A reader’s record: subscription, address, orders and history',
  },
  {
    id: 'download-mailing-file',
    name: 'Download mailing file',
    text: (
      <p>
        On mailing day open {menu('Readers')}, Mailing file. Choose the day and the layout your printer asked for, look
        at who is left out and why, and download. Or let the mailing house fetch it with its own log-in.
      </p>
    ),
    screenshot: 'mailing-file',
    alt: 'The mailing file of a day: readers by zone, and who is left out, by reason',
  },
]

/** The guide from the account to the first mailing file, with the product's own labels. */
export default function HowTo() {
  return (
    <SiteFrame>
      <div className="mx-auto max-w-6xl px-4 py-12 md:px-6 md:py-20">
        <h1 className="max-w-3xl font-serif text-store-h1 md:text-landing">How it works, in 13 steps</h1>
        <p className="mt-5 max-w-2xl text-lead text-ink-2">
          From the account to the first mailing file. The first four take an afternoon; the rest is what a month looks
          like.
        </p>
        <p className="mt-2 text-body text-muted">Last updated 23 November 2026</p>
        <nav aria-label="Contents" className="no-print mt-8 border-y border-line py-5">
          <ol className="gap-x-8 text-input sm:columns-2 lg:columns-3">
            {steps.map(({ id, name }, index) => (
              <li key={id} className="flex gap-3 py-1">
                <span className="numeric w-6 shrink-0 text-right text-muted">{index + 1}</span>
                <a href={`#${id}`} className="link">
                  {name}
                </a>
              </li>
            ))}
          </ol>
        </nav>
        <ol className="divide-y divide-line">
          {steps.map(({ id, name, text, screenshot, alt }, index) => (
            <li key={id}>
              <section
                aria-labelledby={id}
                className="grid items-start gap-x-12 gap-y-6 py-12 md:py-16 lg:grid-cols-[5fr_7fr] print:break-inside-avoid"
              >
                <div>
                  <p aria-hidden="true" className="numeric font-serif text-landing font-semibold text-primary">
                    {index + 1}
                  </p>
                  <h2 id={id} className="mt-2 scroll-mt-5 font-serif text-public-h2">
                    {name}
                  </h2>
                  <div className="mt-4 space-y-3 text-input text-ink-2">{text}</div>
                </div>
                <div className="overflow-hidden rounded-card border border-line">
                  <Screen
                    screenshot={screenshot}
                    alt={alt}
                    isFirst={index === 0}
                    sizes="(min-width: 1024px) 640px, 94vw"
                    className="w-full max-sm:w-[150%] max-sm:max-w-none"
                  />
                </div>
              </section>
            </li>
          ))}
        </ol>
        <div className="no-print flex flex-wrap items-center gap-x-6 gap-y-4 border-t border-ink pt-8">
          <LinkButton to="/signup" reloadDocument kind="primary" size="large">
            SIGN UP
          </LinkButton>
          <Link to="/contactme" className="link text-input">
            Ask us first
          </Link>
        </div>
      </div>
    </SiteFrame>
  )
}
