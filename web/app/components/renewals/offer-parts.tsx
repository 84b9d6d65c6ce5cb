import { Link } from '@remix-run/react'
import { formatDay } from '#core/kernel/dates.ts'
import { progressText } from '#core/kernel/progress-text.ts'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import type { BlanketOfferView, OfferReach } from '#core/series/blanket-offers.ts'
import type { ReachedReader } from '#core/series/due-efforts.query.ts'
import { Badge } from '../ui/badge.tsx'
import { Banner } from '../ui/banner.tsx'
import { LinkButton } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Fact, Facts, Section } from '../ui/facts.tsx'
import { Form, FormButtons, type Refusal, SubmitButton, useForm } from '../ui/form.tsx'
import { DayText, Money } from '../ui/formats.tsx'
import { GoneFormProblem } from '../ui/gone-form-problem.tsx'
import { usePolling } from '../ui/use-polling.ts'
import { useSecondsLeft } from '../ui/use-seconds-left.ts'
import { offerText, unsoldText } from './effort-texts.ts'
import { offerStates, segmentText } from './offer-texts.ts'
import { deliveryColumns, recipientColumn } from './recipient-columns.tsx'

const columnsOf = (back: string): Column<BlanketOfferView>[] => [
  {
    header: 'Offer',
    onCard: 'title',
    cell: ({ id, name, ...offer }) => (
      <>
        <Link to={`${back}&offer=${id}`} className="link font-medium wrap-anywhere">
          {name}
        </Link>
        <span className="block text-ink-2">{segmentText(offer)}</span>
      </>
    ),
  },
  { header: 'Plan and price', cell: (offer) => offerText(offer) },
  { header: 'Status', cell: ({ state }) => offerStates[state] },
  { header: 'Sent on', cell: ({ sentOn }) => <DayText day={sentOn} /> },
  { header: 'Valid until', cell: ({ validUntil }) => <DayText day={validUntil} /> },
  { header: 'Planned', isNumber: true, cell: ({ results }) => formatCount(results.planned) },
  { header: 'Sent', isNumber: true, cell: ({ results }) => formatCount(results.sent) },
  { header: 'Link opened', isNumber: true, cell: ({ results }) => formatCount(results.opened) },
  { header: 'Renewed', isNumber: true, cell: ({ results }) => formatCount(results.renewed) },
  {
    header: 'Revenue',
    isNumber: true,
    cell: ({ results: { money } }) =>
      money.length === 0
        ? '-'
        : money.map((value) => (
            <span key={value.currency} className="block">
              <Money value={value} />
            </span>
          )),
  },
]

/** The offers of a title with their results. */
export function OfferTable({ offers, back }: { offers: readonly BlanketOfferView[]; back: string }) {
  return (
    <DataTable
      label="Offers"
      columns={columnsOf(back)}
      rows={offers}
      rowKey={({ id }) => id}
      sort=""
      empty={
        <EmptyState title="No offers yet">
          An offer goes once to the readers you choose, such as those who lapsed last year.
        </EmptyState>
      }
    />
  )
}

interface OfferPartProps {
  offer: BlanketOfferView
  /** The state of the offer that is shown: no other is sent. */
  version: string
  /** The readers who would receive it; null unless the offer is a draft. */
  reach: OfferReach | null
  /** The address of the title's offers. */
  back: string
  problem: Refusal | undefined
}

/** One offer: its content, its recipients, and the buttons of its state. */
export function OfferPart({ offer, version, reach, back, problem }: OfferPartProps) {
  const { id, state, sentOn, validUntil, subject, body, progress, results } = offer
  const isSending = state === 'sending'
  usePolling(isSending, 2000)
  const secondsLeft = useSecondsLeft(progress)
  const shown: Record<keyof typeof failures, boolean> = {
    send: state === 'draft' || state === 'stopped',
    stop: isSending,
    remove: state === 'draft',
    sample: !isSending && state !== 'sent',
  }
  return (
    <div className="space-y-4">
      {problem && <GoneFormProblem problem={problem} failures={failures} shown={shown} />}
      {isSending && (
        <Banner title="The offer is being sent…">
          <p role="status" className="numeric">
            {`${progressText({ ...progress, unit: 'readers', secondsLeft })}. `}
            You may leave this page: the work continues.
          </p>
        </Banner>
      )}
      {state === 'stopped' && (
        <Banner tone="warning" title="Stopped before everyone received it">
          {offer.problem ?? 'Send the rest to continue with the readers who have not received it.'}
        </Banner>
      )}
      {reach && !reach.isAccountOn && (
        <div id="account-off">
          <Banner tone="warning" title="This offer cannot be sent: renewal emails are switched off for the account">
            Tick “Send automated subscription renewal emails” in{' '}
            <Link to="/account" className="link">
              My Account
            </Link>
            .
          </Banner>
        </div>
      )}
      {reach && reach.unsoldIn.length > 0 && (
        <Banner tone="warning" title={`This plan is not sold everywhere: ${unsoldText(reach.unsoldIn)}`}>
          Readers there would be offered another plan, or none. Give the offer a price for them, or choose one country.
        </Banner>
      )}
      <Section title="The offer" action={<Badge tone="neutral">{offerStates[state]}</Badge>}>
        <Facts>
          <Fact label="For">{segmentText(offer)}</Fact>
          <Fact label="Offer">{offerText(offer)}</Fact>
          <Fact label="Valid until">
            <DayText day={validUntil} />
          </Fact>
          {sentOn !== null && (
            <>
              <Fact label="Sent on">
                <DayText day={sentOn} />
              </Fact>
              <Fact label="Sent">
                {formatCount(results.sent)} of {formatCount(results.planned)} planned
              </Fact>
              <Fact label="Renewed">
                {formatCount(results.renewed)} ({countOf(results.opened, 'link')} opened)
              </Fact>
            </>
          )}
          <Fact label="Subject" isWide>
            {subject || 'As in the template'}
          </Fact>
          <Fact label="Text" isWide>
            <span className="whitespace-pre-line">{body || 'As in the template'}</span>
          </Fact>
        </Facts>
      </Section>
      {reach && <Reach reach={reach} back={`${back}&offer=${id}`} />}
      <div className="flex flex-wrap gap-3">
        {state === 'draft' && <LinkButton to={`${back}&offer=${id}&edit=yes`}>Change</LinkButton>}
        {shown.sample && <SampleForm offer={offer} problem={problem} />}
        {state === 'draft' && (
          <OfferButton
            offer={offer}
            version={version}
            problem={problem}
            intent="send"
            label="Send"
            title={`Send this offer to ${countOf(reach?.readers ?? 0, 'reader')}?`}
            text="It goes out at once, once to each of them. This cannot be undone."
            blockedBy={!reach?.isAccountOn ? 'account-off' : reach.readers === 0 ? 'reach' : undefined}
          />
        )}
        {state === 'stopped' && (
          <OfferButton
            offer={offer}
            problem={problem}
            intent="send"
            label="Send the rest"
            title="Send the rest of this offer?"
            text={`It goes to the readers who have not received it. It is valid until ${formatDay(validUntil)}.`}
          />
        )}
        {shown.stop && (
          <OfferButton
            offer={offer}
            problem={problem}
            intent="stop"
            label="Stop"
            title="Stop this offer?"
            text="Readers whose email is already queued still get it."
            isDangerous
          />
        )}
        {shown.remove && (
          <OfferButton
            offer={offer}
            problem={problem}
            intent="remove"
            label="Delete"
            title="Delete this draft?"
            text="None of it has been sent."
            isDangerous
          />
        )}
      </div>
    </div>
  )
}

function Reach({ reach, back }: { reach: OfferReach; back: string }) {
  const { readers, excluded } = reach
  return (
    <Section title="Who would get it today">
      <p id="reach" className="text-body">
        <strong>{countOf(readers, 'reader')}</strong> would get it.
      </p>
      {excluded.length > 0 && (
        <>
          <p className="mt-2 text-body">Left out:</p>
          <ul className="list-disc pl-5 text-body">
            {excluded.map(({ reason, text, readers: count }) => (
              <li key={reason}>
                {text}: {formatCount(count)}
              </li>
            ))}
          </ul>
        </>
      )}
      <p className="mt-3">
        <Link to={`${back}&show=readers`} className="link text-body">
          See the readers
        </Link>
      </p>
    </Section>
  )
}

interface OfferButtonProps {
  offer: BlanketOfferView
  version?: string
  problem: Refusal | undefined
  intent: 'send' | 'stop' | 'remove'
  label: string
  title: string
  text: string
  isDangerous?: boolean
  blockedBy?: string | undefined
}

const failures = {
  send: 'Offer not sent',
  stop: 'Offer not stopped',
  remove: 'Draft not deleted',
  sample: 'Test email not sent',
}

function OfferButton({ offer, version = '', problem, intent, isDangerous = false, ...button }: OfferButtonProps) {
  const form = useForm({
    problem,
    identifiedBy: { intent },
    hidden: { publicationId: String(offer.publicationId), id: String(offer.id), version },
    failure: failures[intent],
  })
  return (
    <Form form={form}>
      <FormButtons>
        <ConfirmButton form={form} isDangerous={isDangerous} {...button} />
      </FormButtons>
    </Form>
  )
}

function SampleForm({ offer, problem }: { offer: BlanketOfferView; problem: Refusal | undefined }) {
  const form = useForm({
    problem,
    identifiedBy: { intent: 'sample' },
    hidden: { publicationId: String(offer.publicationId), id: String(offer.id) },
    failure: failures.sample,
  })
  return (
    <Form form={form}>
      <FormButtons>
        <SubmitButton kind="secondary">Send me a test email</SubmitButton>
        <span className="text-table text-muted">The test email uses sample data.</span>
      </FormButtons>
    </Form>
  )
}

/** The recipients of a draft, and the readers left out by reason. */
export function OfferRecipients({ rows }: { rows: readonly ReachedReader[] }) {
  return (
    <DataTable
      label="Readers of this offer"
      columns={[recipientColumn, ...deliveryColumns]}
      rows={rows}
      rowKey={({ readerId }) => readerId}
      sort=""
      empty={<EmptyState title="No recipients">No reader matches the offer.</EmptyState>}
    />
  )
}
