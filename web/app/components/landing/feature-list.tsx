import Check from 'lucide-react/icons/check'
import type { SitePromise } from '#core/kernel/site-promises.ts'

interface Feature {
  text: string
  /** Listed only if the operator supports it. */
  promise?: SitePromise
}

const columns: readonly { title: string; features: readonly Feature[] }[] = [
  {
    title: 'Selling',
    features: [
      { text: 'A storefront for each title, in seven languages' },
      { text: 'Card, wallet, PayPal and direct debit payments' },
      { text: 'Automated renewals and renewal emails' },
      { text: 'Gift purchases' },
      { text: 'Promo codes' },
      { text: 'Single and back issues, with stock and postage' },
      { text: 'Controlled circulation: free copies for readers who qualify' },
      { text: 'Questions to your readers at the checkout' },
    ],
  },
  {
    title: 'Readers and post',
    features: [
      { text: 'Every reader in one place, and one search' },
      { text: 'Cloud storage of reader data', promise: 'cloud-storage' },
      { text: 'Data fix-up tools: names, addresses, duplicates' },
      { text: 'Imports that can be undone for 30 days' },
      { text: 'Mailing files by zone, in your printer’s layout' },
      { text: 'Access for your mailing house' },
      { text: 'An account for each reader: address, offers, renewals' },
      { text: 'Backups', promise: 'backups' },
      { text: 'Export of everything, at any time, as CSV' },
    ],
  },
  {
    title: 'Money and control',
    features: [
      { text: 'A sales ledger of every order' },
      { text: 'Deferred revenue, month close and monthly pack' },
      { text: 'Orders by phone and post, invoices, aged debtors' },
      { text: 'Refunds, VAT and reconciliation' },
      { text: 'Storefront analytics, and circulation on any day' },
      { text: 'Staff with roles, two-step log-in and an activity log' },
      { text: 'An HTTP API, and a command line' },
      { text: 'No set-up fees and no minimum contract' },
    ],
  },
]

/** All features in three columns. Those that depend on the operator are listed only where the operator promises them. */
export function FeatureList({ promises, canSignUp }: { promises: readonly SitePromise[]; canSignUp: boolean }) {
  return (
    <section
      id="features"
      tabIndex={-1}
      aria-labelledby="features-title"
      className="border-y border-line bg-surface outline-none"
    >
      <div className="mx-auto max-w-6xl px-4 py-16 md:px-6 md:py-24">
        <h2 id="features-title" className="max-w-3xl font-serif text-public-h2 md:text-store-h1">
          Everything a subscription desk does in a month
        </h2>
        {canSignUp && (
          <p className="mt-4 max-w-2xl text-lead text-ink-2">
            Sign-up takes minutes, not days: your account opens as soon as the first month is paid.
          </p>
        )}
        <div className="mt-10 grid gap-x-10 gap-y-12 md:grid-cols-3">
          {columns.map(({ title, features }) => (
            <div key={title} className="border-t-2 border-ink pt-4">
              <h3 className="text-h3">{title}</h3>
              <ul className="mt-4 space-y-3 text-input text-ink-2">
                {features
                  .filter(({ promise }) => promise === undefined || promises.includes(promise))
                  .map(({ text }) => (
                    <li key={text} className="flex gap-3">
                      <Check size={20} aria-hidden="true" className="mt-0.5 shrink-0 text-success" />
                      <span>{text}</span>
                    </li>
                  ))}
              </ul>
            </div>
          ))}
        </div>
      </div>
    </section>
  )
}
