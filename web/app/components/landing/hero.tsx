import { Screen } from '../site/screen.tsx'
import { LinkButton } from '../ui/button.tsx'

/** The hero section: the claim, and a storefront on a desktop and on a phone. */
export function Hero({ fromPrice }: { fromPrice: string }) {
  return (
    <section aria-labelledby="start" className="overflow-hidden bg-surface">
      <div className="mx-auto max-w-6xl px-4 md:px-6">
        {/* A folio line, as in a newspaper. */}
        <p className="mt-5 flex justify-between gap-4 border-t-4 border-double border-ink pt-2 font-serif text-body text-ink-2 md:mt-8">
          <span>For magazine publishers</span>
          <span className="hidden md:inline">No set-up fee, no minimum contract</span>
          <span className="hidden sm:inline">From {fromPrice} per title per month</span>
        </p>
        <div className="grid gap-x-10 gap-y-12 pt-10 pb-16 md:pt-16 md:pb-24 lg:grid-cols-[28.5rem_minmax(0,1fr)] lg:items-center">
          <div className="min-w-0">
            <h1 id="start" className="font-serif text-store-h1 tracking-[-0.015em] sm:text-landing">
              {['Sell subscriptions.', 'Post the issue.', 'Close the books.'].map((line) => (
                <span key={line} className="block">
                  {line}{' '}
                </span>
              ))}
            </h1>
            <p className="mt-6 max-w-xl text-lead text-ink-2">
              Masthead gives each of your titles a storefront, keeps its readers in order, hands the mailing house a
              file it can print from, and shows to the penny what is earned and what you still owe.
            </p>
            <div className="mt-8 flex flex-wrap items-center gap-x-6 gap-y-4">
              <LinkButton to="/signup" reloadDocument kind="primary" size="large">
                <span className="px-4 tracking-wide">SIGN UP</span>
              </LinkButton>
              <a href="/howto" className="link text-input">
                How it works, in 13 steps
              </a>
            </div>
          </div>
          <div className="relative">
            <div className="frame">
              <Screen
                screenshot="storefront"
                isFirst
                alt="The storefront of Harbour Light: its cover, what it is about, and the subscriptions it sells"
                sizes="(min-width: 1024px) 610px, 94vw"
                className="w-full"
              />
            </div>
            <div className="absolute -right-1 -bottom-8 w-[24%] max-w-40 overflow-hidden rounded-[18px] border-4 border-nav bg-nav shadow-float md:-bottom-14 lg:-right-4">
              <Screen
                screenshot="storefront-phone"
                alt="The same on a phone: print, digital or both, by the year or by the month"
                sizes="(min-width: 700px) 160px, 24vw"
                className="w-full rounded-[13px]"
              />
            </div>
          </div>
        </div>
      </div>
    </section>
  )
}
