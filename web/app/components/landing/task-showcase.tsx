import type { ReactNode } from 'react'
import type { Screenshot } from '../../images/screenshots.ts'
import { Screen } from '../site/screen.tsx'
import { Postmark } from './artwork.tsx'

interface Row {
  work: string
  title: string
  text: string
  points: readonly string[]
  screenshot: Screenshot
  alt: string
  tint: string
  /** A class that chooses the part of the picture shown on phones, where it is cropped to two thirds; by default the left part. */
  phoneClass?: string
  art?: ReactNode
}

const rows: readonly Row[] = [
  {
    work: 'Sell',
    title: 'A storefront for every title',
    text: 'Seven steps and a title is on sale: print, digital or both, in pounds, dollars and euros, by the year, half-year, quarter or month.',
    points: [
      'Cards, wallets, direct debit and PayPal, paid into your own accounts',
      'Automatic renewals, with an email notice before each yearly or half-yearly renewal',
      'Gifts, promo codes, single and back issues, free copies for those who qualify',
    ],
    screenshot: 'dashboard',
    alt: 'Analytics: views of the storefront, and subscriptions started by month for print, digital and both',
    tint: 'bg-tint-sea',
    // Crops the side menu.
    phoneClass: 'max-sm:-ml-[32%]',
  },
  {
    work: 'Post',
    title: 'A mailing file you can rely on',
    text: 'Who gets the issue, at which address, sorted by postcode. Everyone left out is counted, with the reason.',
    points: [
      'Your mailing house has a log-in of its own and sees nothing else',
      'Any layout: columns, separators, a file for each zone',
      'Expired, deactivated and digital-only readers are never included',
    ],
    screenshot: 'mailing-file',
    alt: 'A mailing file of 1,276 readers by zone, and who was left out of it, with the reasons',
    tint: 'bg-tint-sand',
    art: <Postmark className="absolute -top-3 right-4 w-40 -rotate-6 text-accent md:-top-8 md:right-8 md:w-64" />,
  },
  {
    work: 'Manage',
    title: 'Reader data that stays clean',
    text: 'Upload any CSV file. Each row that cannot be imported is listed with its line, its column and the reason; all others are imported.',
    points: [
      'Likely duplicates side by side, merged in one go, with undo for 30 days',
      'Names, addresses and postcodes fixed automatically, after a preview',
      'Readers change their own address, and download what you hold about them',
    ],
    screenshot: 'manage-data',
    alt: 'Manage Data: uploads, downloads, and the warnings about the readers of a title',
    tint: 'bg-tint-leaf',
  },
  {
    work: 'Account',
    title: 'What is earned, and what is owed',
    text: 'Every sale is spread over the months it covers. Close a month and it stays closed; print the pack and send it to the accountant.',
    points: [
      'Deferred revenue by month, title and currency, to the penny',
      'Refunds, credit notes, VAT by country and unpaid invoices in the same ledger',
      'Payouts from Stripe and PayPal reconciled against your own orders',
    ],
    screenshot: 'schedule',
    alt: 'Deferred revenue by month: opening, sold, refunded, earned and closing',
    tint: 'bg-tint-sea',
  },
]

/** The four main tasks of a subscription desk, each next to a screenshot. */
export function TaskShowcase() {
  return (
    <div className="mx-auto max-w-6xl space-y-20 px-4 py-16 md:space-y-28 md:px-6 md:py-24">
      {rows.map(({ work, title, text, points, screenshot, alt, tint, phoneClass = '', art }, index) => (
        <section
          key={work}
          aria-labelledby={`work-${index}`}
          className={`grid items-center gap-x-14 gap-y-8 ${index % 2 === 1 ? 'lg:grid-cols-[7fr_5fr]' : 'lg:grid-cols-[5fr_7fr]'}`}
        >
          <div className={index % 2 === 1 ? 'lg:order-last' : ''}>
            <p className="flex items-center gap-3 text-body font-semibold text-primary">
              <span aria-hidden="true" className="h-0.5 w-8 bg-primary" />
              {work}
            </p>
            <h2 id={`work-${index}`} className="mt-3 font-serif text-public-h2 md:text-store-h1">
              {title}
            </h2>
            <p className="mt-4 text-lead text-ink-2">{text}</p>
            <ul className="mt-5 divide-y divide-line border-y border-line text-input text-ink-2">
              {points.map((point) => (
                <li key={point} className="py-3">
                  {point}
                </li>
              ))}
            </ul>
          </div>
          <div className={`relative rounded-dialog ${tint} pt-6 pl-6 md:pt-12 md:pl-12`}>
            <div className="overflow-hidden rounded-tl-card rounded-br-dialog border-t border-l border-line bg-canvas shadow-float">
              {/* Cropped on phones, so that it is large enough to read. */}
              <Screen
                screenshot={screenshot}
                alt={alt}
                sizes="(min-width: 1024px) 620px, 94vw"
                className={`w-full max-sm:w-[150%] max-sm:max-w-none ${phoneClass}`}
              />
            </div>
            {art}
          </div>
        </section>
      ))}
    </div>
  )
}
