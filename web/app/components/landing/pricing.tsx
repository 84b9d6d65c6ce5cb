import { Link } from '@remix-run/react'
import { formatMoney } from '#core/kernel/money.ts'
import { maxTitles, type PlanKind, priceTiers } from '#core/pricing/publisher-plans.rules.ts'
import { LinkButton } from '../ui/button.tsx'

interface Plan {
  kind: PlanKind
  name: string
  text: string
  signUp: string
}

const plans: readonly Plan[] = [
  {
    kind: 'standard',
    name: 'Standard',
    text: 'Everything on this page. Readers of the digital edition find the link to it in their receipt and their account.',
    signUp: '/signup',
  },
  {
    kind: 'plus',
    name: 'Plus, with the mobile app',
    text: 'Everything in Standard, and a mobile app for each title in your own colours.',
    signUp: '/signup?type=plus',
  },
]

/** A plan's price, which is whole pounds, without the pence. */
export function wholePounds(pence: number): string {
  return formatMoney({ amount: pence, currency: 'GBP' }).replace(/\.00$/, '')
}

/**
 * The monthly price per title. /signup is loaded as a document, because only then does the CSP allow the payment provider's script. `sellsApp`
 * says whether the operator makes apps; otherwise the plan with the app is on request.
 */
export function Pricing({ sellsApp }: { sellsApp: boolean }) {
  return (
    <section id="pricing" tabIndex={-1} aria-labelledby="pricing-title" className="outline-none">
      <div className="mx-auto max-w-6xl px-4 py-16 md:px-6 md:py-24">
        <h2 id="pricing-title" className="font-serif text-public-h2 md:text-store-h1">
          One price for each title
        </h2>
        <p className="mt-4 max-w-2xl text-lead text-ink-2">
          Paid monthly, with no commission on what you sell. The more titles, the less each of them costs. There is no
          set-up fee, and you can leave at the end of any month.
        </p>
        <div className="mt-10 grid gap-6 md:grid-cols-2">
          {plans.map((plan) => (
            <PlanCard key={plan.kind} plan={plan} isByEnquiry={plan.kind === 'plus' && !sellsApp} />
          ))}
        </div>
        <p className="mt-5 text-body text-muted">
          Prices are per title per month, excluding VAT. In the United Kingdom 20% VAT is added.
        </p>
      </div>
    </section>
  )
}

function PlanCard({ plan: { kind, name, text, signUp }, isByEnquiry }: { plan: Plan; isByEnquiry: boolean }) {
  const tiers = priceTiers(kind)
  return (
    <div className="flex flex-col rounded-dialog border border-line bg-surface p-5 lg:p-8">
      <h3 className="font-serif text-h2">{name}</h3>
      <p className="mt-2 text-input text-ink-2 md:min-h-24 lg:min-h-18">{text}</p>
      <table className="mt-6 w-full text-input">
        <caption className="sr-only">{name}: price per title per month</caption>
        <thead className="text-left text-table text-muted">
          <tr className="border-b-2 border-ink">
            <th scope="col" className="py-2 font-medium">
              Titles
            </th>
            <th scope="col" className="py-2 text-right font-medium">
              Each, per month
            </th>
          </tr>
        </thead>
        <tbody>
          {tiers.map(({ from, to, pence }) => (
            <tr key={from} className="border-b border-line">
              <th scope="row" className="py-3.5 text-left font-normal">
                {from === to ? `${from} title` : `${from} to ${to} titles`}
              </th>
              <td className="numeric py-3.5 text-right font-serif text-h2 font-semibold">{wholePounds(pence)}</td>
            </tr>
          ))}
          <tr className="border-b border-line">
            <th scope="row" className="py-3.5 text-left font-normal">
              More than {maxTitles} titles
            </th>
            <td className="py-3.5 text-right">
              <Link to="/contactme" className="link">
                on request
              </Link>
            </td>
          </tr>
        </tbody>
      </table>
      <div className="mt-auto grid gap-3 pt-6 sm:flex sm:flex-wrap">
        {isByEnquiry ? (
          <p className="basis-full text-body text-ink-2">
            Apps are made together with you: ask us when yours could be ready.
          </p>
        ) : (
          <LinkButton to={signUp} reloadDocument kind="primary" size="large" aria-label={`SIGN ME UP: ${name}`}>
            SIGN ME UP
          </LinkButton>
        )}
        <LinkButton to="/contactme" size="large" aria-label={`GET IN TOUCH about ${name}`}>
          GET IN TOUCH
        </LinkButton>
      </div>
    </div>
  )
}
