import { Link } from '@remix-run/react'
import ImageIcon from 'lucide-react/icons/image'
import Pencil from 'lucide-react/icons/pencil'
import Trash2 from 'lucide-react/icons/trash-2'
import type { ReactNode } from 'react'
import { formatMoney } from '#core/kernel/money.ts'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import { Badge } from '../ui/badge.tsx'
import { Fact, Facts } from '../ui/facts.tsx'
import { Picture } from '../ui/picture.tsx'
import { type BandAmounts, bandFields } from './back-issue-values.ts'

/** The data of a back issue card. */
export interface BackIssueCardData extends BandAmounts {
  id: number
  volume: string
  description: string
  publicationName: string
  stock: number | null
  sold: number
  coverImage: string | null
}

/** A back issue: its stock, sales and prices, with buttons to edit, change the cover and remove. */
export function BackIssueCard({ issue, onRemove }: { issue: BackIssueCardData; onRemove: () => void }) {
  const { id, volume, description, stock, sold } = issue
  const headingId = `issue-${id}`
  return (
    <li className="card flex flex-col p-4 lg:p-5" aria-labelledby={headingId}>
      <div className="flex grow items-start gap-4">
        {issue.coverImage ? (
          <Picture
            image={issue.coverImage}
            kind="cover"
            alt={`Cover of ${volume}`}
            sizes="96px"
            className="h-auto w-24 shrink-0 rounded-input border border-line"
            isLazy
          />
        ) : (
          <span className="flex h-32 w-24 shrink-0 items-center justify-center rounded-input border border-dashed border-control text-center text-caption text-muted">
            No cover
          </span>
        )}
        <div className="min-w-0 grow">
          <h3 id={headingId} className="text-h3 wrap-anywhere">
            {volume}
          </h3>
          <p className="text-table wrap-anywhere text-muted">{issue.publicationName}</p>
          <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-body text-ink-2">
            <span className="numeric">{stockText(stock)}</span>
            {stock === 0 && <Badge tone="warning">Out of stock</Badge>}
          </p>
          <p className="numeric text-body text-ink-2">{`${formatCount(sold)} sold`}</p>
        </div>
      </div>
      {description && <p className="mt-3 line-clamp-3 text-table whitespace-pre-line text-ink-2">{description}</p>}
      <div className="mt-3">
        <Facts>
          {bandFields.map(({ label, currency, price, postage }) => (
            <Fact key={price} label={label} isWide>
              <span className="numeric">
                {priceText(issue[price], issue[postage], (amount) => formatMoney({ amount, currency }))}
              </span>
            </Fact>
          ))}
        </Facts>
      </div>
      <ul
        aria-label={`Actions for ${volume}`}
        className="mt-4 grid grid-cols-1 gap-x-4 border-t border-line pt-2 min-[480px]:grid-cols-2"
      >
        <Action to={`/editBackIssue/${id}`} about={volume} icon={<Pencil {...iconProps} />}>
          Edit Details
        </Action>
        <Action to={`/backIssues/${id}/cover`} about={volume} icon={<ImageIcon {...iconProps} />}>
          Change Cover Image
        </Action>
        <li>
          {/* Without JavaScript the confirmation is part of the page. */}
          <Link
            to={`/backIssues?remove=${id}`}
            className={actionClass}
            onClick={(event) => {
              event.preventDefault()
              event.currentTarget.focus()
              onRemove()
            }}
          >
            <Trash2 {...iconProps} />
            <span>
              Remove Back Issue<span className="sr-only">{`: ${volume}`}</span>
            </span>
          </Link>
        </li>
      </ul>
    </li>
  )
}

function stockText(stock: number | null): string {
  return stock === null ? 'Stock: Unlimited' : `Stock: ${countOf(stock, 'copy', 'copies')} left`
}

function priceText(price: number | null, postage: number | null, money: (amount: number) => string): string {
  if (!price) return 'Not sold'
  return postage ? `${money(price)} + ${money(postage)} postage` : `${money(price)}, postage free`
}

const iconProps = { size: 16, 'aria-hidden': true } as const
const actionClass =
  'flex min-h-9 items-center gap-2 rounded-input px-2 text-body text-primary no-underline hover:bg-subtle hover:underline'

function Action({ to, icon, about, children }: { to: string; icon: ReactNode; about: string; children: string }) {
  return (
    <li>
      <Link to={to} className={actionClass}>
        {icon}
        <span>
          {children}
          <span className="sr-only">{`: ${about}`}</span>
        </span>
      </Link>
    </li>
  )
}
