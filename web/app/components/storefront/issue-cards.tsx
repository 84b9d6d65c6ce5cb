import type { IssueOffer } from '#core/back-issues/issue-offer.rules.ts'
import type { Currency } from '#core/kernel/money.ts'
import { useT } from '../../i18n/use-t.tsx'
import { FieldError, fieldId } from '../ui/field.tsx'
import { Picture } from '../ui/picture.tsx'

interface IssueCardsProps {
  issues: readonly IssueOffer[]
  currency: Currency
  chosen: readonly number[]
  onChoose: (id: number, isChosen: boolean) => void
  error: string | undefined
}

/** The back issues as cards with a checkbox; the whole card is clickable. Sold-out issues are shown and cannot be ticked. */
export function IssueCards({ issues, currency, chosen, onChoose, error }: IssueCardsProps) {
  const t = useT()
  const id = fieldId('backIssues')
  return (
    <fieldset id={id} tabIndex={-1} aria-describedby={error ? `${id}-error` : undefined} className="outline-none">
      <legend className="text-h2 font-semibold">{t('Choose your issues')}</legend>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      <div className="mt-4 grid gap-3 sm:grid-cols-2">
        {issues.map((issue) => (
          <IssueCard
            key={issue.id}
            issue={issue}
            currency={currency}
            isChosen={chosen.includes(issue.id)}
            onChoose={(isChosen) => onChoose(issue.id, isChosen)}
          />
        ))}
      </div>
    </fieldset>
  )
}

interface IssueCardProps {
  issue: IssueOffer
  currency: Currency
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
}

function IssueCard({ issue, currency, isChosen, onChoose }: IssueCardProps) {
  const t = useT()
  const { id, volume, description, price, postage, isInStock } = issue
  const money = (amount: number) => t.money({ amount, currency })
  const descriptionId = `issue-${id}-description`
  return (
    <label
      className={`flex gap-3 rounded-card border border-control p-3 has-checked:border-ink has-checked:bg-subtle has-checked:outline-1 has-checked:outline-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-black ${isInStock ? 'bg-surface hover:bg-subtle' : 'bg-subtle'}`}
    >
      <input
        type="checkbox"
        id={`issue-${id}`}
        name="backIssues"
        value={id}
        checked={isChosen}
        disabled={!isInStock}
        aria-describedby={description ? descriptionId : undefined}
        onChange={(event) => onChoose(event.target.checked)}
        className="mt-1 size-4.5 shrink-0 accent-ink focus-visible:outline-none"
      />
      <span className="flex min-w-0 grow gap-3 max-[420px]:flex-col">
        <Picture
          image={issue.coverImage}
          kind="cover"
          alt=""
          sizes="80px"
          className="h-auto w-20 shrink-0 self-start rounded-input border border-line"
          isLazy
        />
        <span className="min-w-0 grow">
          <span className="block text-input font-semibold wrap-anywhere">{volume}</span>
          <span className="numeric block text-lead font-semibold">{money(price)}</span>
          <span className="numeric block text-table text-ink-2">
            {postage > 0 ? t('+ {amount} postage', { amount: money(postage) }) : t('Free postage')}
          </span>
          {!isInStock && <span className="block text-body font-semibold text-danger">{t('Out of stock')}</span>}
          {description && (
            <span id={descriptionId} className="mt-1 block text-table whitespace-pre-line text-ink-2">
              {description}
            </span>
          )}
        </span>
      </span>
    </label>
  )
}
