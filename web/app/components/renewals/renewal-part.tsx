import { Link } from '@remix-run/react'
import { type ReactNode, useId } from 'react'
import { countOf } from '#core/kernel/text-format.ts'
import type { ReaderRenewal } from '#core/renewals/reader-renewal.query.ts'
import type { RenewalCycle } from '#core/renewals/renewal-cycles.query.ts'
import { SaveFirst } from '../readers/save-first.tsx'
import { Badge } from '../ui/badge.tsx'
import { Fact, Facts, Section } from '../ui/facts.tsx'
import { DayText, Money } from '../ui/formats.tsx'
import { nextStepText } from './failed-table.tsx'
import { GoneRenewalProblem, RenewalButtons } from './renewal-buttons.tsx'

interface RenewalPartProps {
  renewal: ReaderRenewal
  /** The reader's name. */
  name: string
  linkKey: string
  maySeeOrders: boolean
  mayAct: boolean
  /** Whether the page has unsaved changes, which would be lost. */
  isDirty: boolean
}

/** The automatic renewal on a reader's page: the next charge, a failed one with its next attempt, past charges, and buttons. */
export function RenewalPart({ renewal, name, linkKey, maySeeOrders, mayAct, isDirty }: RenewalPartProps) {
  const { agreementId, isOn, plan, money, agreedOn, ended, open, past, isDebit, lastFour, canChangeCard } = renewal
  const failed = open?.state === 'retrying' || open?.state === 'waiting' ? open : null
  const reasonId = useId()
  return (
    <Section
      title="Automatic renewal"
      action={
        <Badge tone={!isOn ? 'neutral' : failed ? 'danger' : 'success'}>
          {!isOn ? 'Off' : failed ? 'Not paid' : 'On'}
        </Badge>
      }
    >
      <GoneRenewalProblem failed={isOn && failed ? [failed.id] : []} agreements={isOn ? [agreementId] : []} />
      <Facts>
        {failed && (
          <Fact label="Why it is not paid" isWide>
            {failed.reason}. {failed.attempts > 0 && <Attempts cycle={failed} mayOpen={maySeeOrders} />}
          </Fact>
        )}
        {failed && (
          <Fact label="What comes next" isWide>
            {nextStepText(failed)}
          </Fact>
        )}
        <Fact label="Plan">{plan}</Fact>
        <Fact label={isOn ? 'Price of the next term' : 'Price agreed'}>
          <Money value={money} />
        </Fact>
        {isOn && (
          <Fact label="Next charge">
            <NextCharge renewal={renewal} />
          </Fact>
        )}
        <Fact label={renewal.isDebit ? 'Account' : 'Card'}>
          <CardText renewal={renewal} />
        </Fact>
        <Fact label="Agreed">
          <DayText day={agreedOn} />
        </Fact>
        {ended && (
          <Fact label="Ended">
            <DayText day={ended.on} />
            {ended.why && <span className="block text-ink-2">{ended.why}</span>}
          </Fact>
        )}
      </Facts>
      {isOn && mayAct && (
        <div className="mt-4">
          <RenewalButtons
            agreementId={agreementId}
            name={name}
            money={money}
            isDebit={isDebit}
            lastFour={lastFour}
            canChangeCard={canChangeCard}
            linkKey={linkKey}
            failedId={failed?.id ?? null}
            blockedBy={isDirty ? reasonId : undefined}
          />
          {isDirty && <SaveFirst id={reasonId} />}
        </div>
      )}
      {past.length > 0 && (
        <details className="mt-4 border-t border-line pt-3">
          <summary className="link cursor-pointer text-body">
            {renewal.isTruncated && 'The latest '}
            {countOf(past.length, 'earlier renewal')}
          </summary>
          <div className="mt-3">
            <CycleList cycles={past} mayOpen={maySeeOrders} />
          </div>
        </details>
      )}
    </Section>
  )
}

function NextCharge({ renewal: { chargeOn, open } }: { renewal: ReaderRenewal }) {
  if (open?.state === 'charging') return <>Being charged</>
  if (chargeOn === null) return <>Not scheduled</>
  return (
    <>
      <DayText day={chargeOn} />
      {open?.state === 'planned' && open.noticedOn && (
        <span className="block text-ink-2">
          announced on <DayText day={open.noticedOn} />
        </span>
      )}
    </>
  )
}

function CardText({ renewal: { lastFour, expiresOn, cardExpires } }: { renewal: ReaderRenewal }) {
  if (!lastFour && !expiresOn) return <>-</>
  return (
    <>
      {lastFour && <span className="numeric whitespace-nowrap">ending {lastFour}</span>}
      {expiresOn && (
        <span className="block text-ink-2">
          valid until <DayText day={expiresOn} />
        </span>
      )}
      {cardExpires && <Badge tone="warning">Expires before then</Badge>}
    </>
  )
}

const states: Record<RenewalCycle['state'], { text: string; tone: 'success' | 'danger' | 'neutral' | 'info' }> = {
  planned: { text: 'Planned', tone: 'info' },
  charging: { text: 'Being charged', tone: 'info' },
  retrying: { text: 'Not paid', tone: 'danger' },
  waiting: { text: 'Not paid', tone: 'danger' },
  paid: { text: 'Paid', tone: 'success' },
  lapsed: { text: 'Lapsed', tone: 'danger' },
  cancelled: { text: 'Not charged', tone: 'neutral' },
}

/** Cycles of an automatic renewal: the term before each, its result, and its order. */
export function CycleList({
  cycles,
  mayOpen,
  currentOrderId,
}: {
  cycles: readonly RenewalCycle[]
  mayOpen: boolean
  /** The order of this page. */
  currentOrderId?: number
}) {
  return (
    <ul className="divide-y divide-line">
      {cycles.map((cycle) => (
        <li key={cycle.id} className="py-2 text-body first:pt-0 last:pb-0">
          <span className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span>
              Term after <DayText day={cycle.cycleOn} />, <Money value={cycle.money} />
            </span>
            <Badge tone={states[cycle.state].tone}>{states[cycle.state].text}</Badge>
          </span>
          {(cycle.reason || cycle.order) && (
            <span className="block text-ink-2">
              {cycle.reason && `${cycle.reason}. `}
              {cycle.order && (
                <OrderLink {...cycle.order} mayOpen={mayOpen} isCurrent={cycle.order.id === currentOrderId} />
              )}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

function OrderLink({
  id,
  orderNumber,
  mayOpen,
  isCurrent,
}: {
  id: number
  orderNumber: string
  mayOpen: boolean
  isCurrent: boolean
}): ReactNode {
  if (isCurrent) return `Order ${orderNumber} (this order)`
  if (!mayOpen) return `Order ${orderNumber}`
  return (
    <Link to={`/orderDetails/${id}`} className="link whitespace-nowrap">
      Order {orderNumber}
    </Link>
  )
}

function Attempts({ cycle: { attempts, order }, mayOpen }: { cycle: RenewalCycle; mayOpen: boolean }): ReactNode {
  const text = countOf(attempts, 'attempt')
  if (!order || !mayOpen) return text
  return (
    <Link to={`/orderDetails/${order.id}`} className="link whitespace-nowrap">
      {text}
    </Link>
  )
}
