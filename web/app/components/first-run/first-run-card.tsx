import { Form, Link, useLocation, useNavigation } from '@remix-run/react'
import Check from 'lucide-react/icons/check'
import type { ReactNode } from 'react'
import type { FirstRun } from '#core/first-run/first-run.query.ts'
import { type FirstRunItem, type FirstRunStep, firstRunSteps } from '#core/first-run/first-run.rules.ts'
import { countOf } from '#core/kernel/text-format.ts'
import { Banner } from '../ui/banner.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { ExampleButton } from './example-button.tsx'

interface FirstRunProps extends FirstRun {
  appUrl: string
}

interface StepTexts {
  title: string
  why: string
  /** The text of the link to the step's page. */
  linkText: string
  /** The text of the link once the step is done, if its page is still useful. */
  doneLinkText?: string
}

const texts: Record<FirstRunStep, StepTexts> = {
  title: {
    title: 'Add your title',
    why: 'Its name, a few words about it, and its cover image if you have one at hand. Everything can be changed later.',
    linkText: 'Add your title',
    doneLinkText: 'Edit',
  },
  prices: {
    title: 'Set prices',
    why: 'One price is enough to begin with. A product can also be free.',
    linkText: 'Set prices',
    doneLinkText: 'Edit',
  },
  keys: {
    title: 'Connect payments',
    why: 'Stripe, PayPal or Secure Trading: buyers pay straight into your own account with them.',
    linkText: 'Enter payment keys',
    doneLinkText: 'View again',
  },
  preview: {
    title: 'Look at your storefront',
    why: 'As a buyer will see it.',
    linkText: 'Open the preview',
    doneLinkText: 'View again',
  },
  test: {
    title: 'Place a test order',
    why: 'With a test card. No money moves, no email is sent, and nothing is counted.',
    linkText: 'Place a test order',
    doneLinkText: 'Place another',
  },
  share: {
    title: 'Share your storefront',
    why: 'Put its address on your website, in your next newsletter and in the magazine.',
    linkText: 'Open your storefront',
    doneLinkText: 'Open it',
  },
}

/** The checklist from a new account to the first sale: what is done, the next step, and how long it takes. Replaced by one line when all is done. */
export function FirstRunCard(props: FirstRunProps) {
  const { state, storefront } = props
  if (state === 'over') return null
  if (state === 'hidden')
    return (
      <ChangeButton change="show" className="mb-4" kind="quiet">
        Show the first steps
      </ChangeButton>
    )
  if (state === 'done')
    return (
      <div className="mb-6">
        <Banner
          tone="success"
          title="You are open for business"
          action={
            <ChangeButton change="finish" size="small">
              Close
            </ChangeButton>
          }
        >
          {storefront && `${storefront.publicationName} is ready for its first reader. Good luck with it.`}
        </Banner>
      </div>
    )
  return <Steps {...props} />
}

function Steps({ items, doneCount, minutesLeft, storefront, example, appUrl }: FirstRunProps) {
  const next = items.find(({ isDone, to }) => !isDone && to !== null)
  return (
    <section aria-labelledby="first-steps" className="mb-6 card p-4 lg:p-6">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div>
          <h2 id="first-steps" className="text-h3">
            From here to your first sale
          </h2>
          <p className="mt-1 text-body text-ink-2">
            {`${doneCount} of ${items.length} done, about ${countOf(minutesLeft, 'minute')} to go. You can stop at any time: your progress is saved.`}
          </p>
        </div>
        <ChangeButton change="hide" size="small" kind="quiet">
          Hide these steps
        </ChangeButton>
      </div>
      <div aria-hidden="true" className="mt-4 h-1.5 overflow-hidden rounded-full bg-subtle">
        <div
          className="h-full rounded-full bg-success transition-[width]"
          style={{ width: `${(doneCount / items.length) * 100}%` }}
        />
      </div>
      <ol className="mt-2 divide-y divide-line">
        {items.map((item, index) => (
          <Step key={item.step} item={item} number={index + 1} isNext={item === next}>
            {item.step === 'share' && storefront && (
              <Share url={`${appUrl}/${storefront.urlKey}`} isDone={item.isDone} />
            )}
          </Step>
        ))}
      </ol>
      {!storefront && (
        <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line pt-4 text-body text-ink-2">
          <p className="min-w-0 grow basis-72">
            {example
              ? 'Your example title is under Publications. It is not counted in the figures below.'
              : 'Rather look around first? An example title comes with prices, promo codes and invented readers, and is removed with one click.'}
          </p>
          {example ? (
            <Link to="/publications" className={buttonClass('secondary', 'small')}>
              Open the example
            </Link>
          ) : (
            <ExampleButton action="/dashboard" size="small" />
          )}
        </div>
      )}
    </section>
  )
}

interface StepProps {
  item: FirstRunItem
  number: number
  isNext: boolean
  children: ReactNode
}

function Step({ item, number, isNext, children }: StepProps) {
  const { step, isDone, to, waitsFor, whoMay, minutes } = item
  const { title, why, linkText, doneLinkText } = texts[step]
  return (
    <li className="flex items-start gap-3 py-3" aria-current={isNext ? 'step' : undefined}>
      <span
        className={`mt-0.5 flex size-6 shrink-0 items-center justify-center rounded-full border text-caption font-semibold ${
          isDone
            ? 'border-success bg-success-soft text-success'
            : isNext
              ? 'border-primary text-primary'
              : 'border-control text-muted'
        }`}
      >
        {isDone ? <Check size={14} aria-hidden="true" /> : <span aria-hidden="true">{number}</span>}
      </span>
      <div className="flex min-w-0 grow flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="min-w-0 grow basis-72">
          <h3 className="text-body font-semibold">
            {title}
            {isDone && <span className="sr-only"> (done)</span>}
            {!isDone && (
              <span className="ml-2 font-normal whitespace-nowrap text-muted">{`${countOf(minutes, 'minute')}`}</span>
            )}
          </h3>
          {!isDone && <p className="text-body text-ink-2">{noteOf({ why, waitsFor, whoMay })}</p>}
          {children}
        </div>
        {to !== null && (!isDone || doneLinkText) && (
          <Link
            to={to}
            reloadDocument={step === 'preview' || step === 'test' || step === 'share'}
            aria-label={isDone ? `${doneLinkText}: ${title}` : undefined}
            className={buttonClass(isDone ? 'quiet' : isNext ? 'primary' : 'secondary', 'small')}
          >
            {isDone ? doneLinkText : linkText}
          </Link>
        )}
      </div>
    </li>
  )
}

function noteOf({ why, waitsFor, whoMay }: Pick<FirstRunItem, 'waitsFor' | 'whoMay'> & { why: string }): string {
  if (whoMay !== null) return `${why} ${whoMay} enters the keys, in My Account.`
  return waitsFor === null ? why : `${why} Comes after step ${firstRunSteps.indexOf(waitsFor) + 1}.`
}

/** The storefront's address. Sharing cannot be detected, so the user confirms it. */
function Share({ url, isDone }: { url: string; isDone: boolean }) {
  return (
    <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="text-body font-medium wrap-anywhere">{url}</span>
      <CopyButton text={url} label="Copy the address of your storefront" />
      {!isDone && (
        <ChangeButton change="shared" size="small" kind="quiet">
          I have shared it
        </ChangeButton>
      )}
    </div>
  )
}

interface ChangeProps {
  change: 'shared' | 'hide' | 'show' | 'finish'
  kind?: 'secondary' | 'quiet'
  size?: 'small' | 'medium'
  className?: string
  children: string
}

function ChangeButton({ change, kind = 'secondary', size = 'medium', className = '', children }: ChangeProps) {
  const isPending = useNavigation().formData?.get('intent') === change
  // Keeps the chosen title and year of the page.
  const { search } = useLocation()
  return (
    <Form method="post" action={`/dashboard${search}`} preventScrollReset className={className}>
      <Button type="submit" name="intent" value={change} kind={kind} size={size} isPending={isPending}>
        {children}
      </Button>
    </Form>
  )
}
