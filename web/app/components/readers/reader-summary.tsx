import { Form, Link } from '@remix-run/react'
import { type ReactNode, useId } from 'react'
import type { Day } from '#core/kernel/dates.ts'
import { countOf } from '#core/kernel/text-format.ts'
import type { ReaderView } from '#core/readers/get-reader.query.ts'
import { Button } from '../ui/button.tsx'
import { Fact, Facts, Section } from '../ui/facts.tsx'
import { DayText, Moment, Money } from '../ui/formats.tsx'
import { ReaderState, readerName, SubTypeText } from '../ui/reader-cells.tsx'
import { SubscriptionBar } from '../ui/subscription-bar.tsx'
import { disabledWhile, SaveFirst } from './save-first.tsx'

interface ReaderSummaryProps {
  reader: ReaderView
  countryName: string
  today: Day
  timeZone: string
  maySeeOrders: boolean
  /** Whether the page has unsaved changes, which would be lost. */
  isDirty: boolean
  /** The automatic renewal, if there is one. */
  renewal?: ReactNode
  /** The renewal series, if there is a subscription and the viewer may see it. */
  series?: ReactNode
  /** The reader's credit, if there ever was any. */
  credit?: ReactNode
  /** Emails to the reader, for users who may see them. */
  emails?: ReactNode
}

const origins = { file: 'Imported file', storefront: 'Storefront', staff: 'Entered by staff' } as const

/** The number of orders and history entries shown; the rest is collapsed. */
const maxShown = 3

/** The summary of a reader's page: name, subscription, orders, history and where the record came from. */
export function ReaderSummary({
  reader,
  countryName,
  today,
  timeZone,
  maySeeOrders,
  isDirty,
  renewal,
  series,
  credit,
  emails,
}: ReaderSummaryProps) {
  const answersWithoutQuestion = reader.answers.filter(({ question, answer }) => question === '' && answer !== '')
  return (
    <div className="grid items-start gap-4 md:grid-cols-2 xl:grid-cols-3">
      <Section
        title="Subscription"
        action={<ReaderState state={reader.subscription.state} isDeleted={reader.isDeleted} />}
      >
        <SubscriptionBar {...reader.subscription} today={today} />
        <Facts>
          <Fact label="Type">
            <SubTypeText type={reader.subscription.type} />
          </Fact>
          <Fact label="Paid">{reader.subscription.paid ? <Money value={reader.subscription.paid} /> : 'Free'}</Fact>
          <Fact label="Start">
            <DayText day={reader.subscription.startOn} />
          </Fact>
          <Fact label="End">
            <DayText day={reader.subscription.endOn} />
          </Fact>
        </Facts>
      </Section>
      <Section title="Reader">
        <Facts>
          <Fact label="Name">{readerName(reader)}</Fact>
          <Fact label="Company">{reader.companyName}</Fact>
          <Fact label="Email">
            {reader.email && (
              <a href={`mailto:${reader.email}`} className="link">
                {reader.email}
              </a>
            )}
          </Fact>
          <Fact label="Telephone">{reader.telephone}</Fact>
          <Fact label="Address" isWide>
            {addressOf(reader, countryName)}
          </Fact>
          <Fact label="Renewal reminders" isWide>
            <Reminders stoppedAt={reader.remindersStoppedAt} timeZone={timeZone} isDirty={isDirty} />
          </Fact>
        </Facts>
      </Section>
      {renewal}
      {series}
      <Section title="Orders">
        <Orders orders={reader.orders} maySeeOrders={maySeeOrders} />
      </Section>
      {credit}
      {emails}
      <History reader={reader} timeZone={timeZone} />
      <Section title="The record">
        <Facts>
          <Fact label="Origin">{origins[reader.origin]}</Fact>
          <Fact label="Added">
            <Moment at={reader.createdAt} timeZone={timeZone} />
          </Fact>
          <Fact label="Last modified">
            <Moment at={reader.updatedAt} timeZone={timeZone} />
          </Fact>
          <Fact label="Modified by">{reader.modifiedBy}</Fact>
          {answersWithoutQuestion.map(({ letter, answer }) => (
            <Fact key={letter} label={`Answer to question ${letter}, which is no longer asked`} isWide>
              {answer}
            </Fact>
          ))}
        </Facts>
      </Section>
    </div>
  )
}

/** Whether the reader gets renewal reminders, with a button to change it. */
function Reminders({
  stoppedAt,
  timeZone,
  isDirty,
}: Pick<ReaderSummaryProps, 'timeZone' | 'isDirty'> & { stoppedAt: Date | null }) {
  const reasonId = useId()
  return (
    <Form method="post" className="flex flex-wrap items-center gap-x-2">
      {stoppedAt ? (
        <span>
          {'Stopped on '}
          <Moment at={stoppedAt} timeZone={timeZone} />
        </span>
      ) : (
        'On'
      )}
      <Button
        type="submit"
        kind="quiet"
        size="small"
        name="intent"
        value={stoppedAt ? 'allow-reminders' : 'stop-reminders'}
        {...disabledWhile(isDirty, reasonId)}
      >
        {stoppedAt ? 'Allow again' : 'Stop'}
      </Button>
      {isDirty && <SaveFirst id={reasonId} />}
    </Form>
  )
}

/** The address on one line, without empty parts. */
function addressOf(reader: ReaderView, countryName: string): string {
  const { addressOne, addressTwo, addressThree, addressFour, city, state, postCode } = reader
  return [addressOne, addressTwo, addressThree, addressFour, city, state, postCode, countryName]
    .filter(Boolean)
    .join(', ')
}

/** The first items of a list, with the others collapsed. */
function FirstOf<Item>({
  items,
  noun,
  list,
}: {
  items: readonly Item[]
  noun: string
  list: (items: readonly Item[]) => ReactNode
}) {
  const collapsed = items.slice(maxShown)
  return (
    <>
      {list(items.slice(0, maxShown))}
      {collapsed.length > 0 && (
        <details className="mt-3">
          <summary className="link cursor-pointer text-body">
            {countOf(collapsed.length, `earlier ${noun}`, `earlier ${noun === 'entry' ? 'entries' : `${noun}s`}`)}
          </summary>
          <div className="mt-3">{list(collapsed)}</div>
        </details>
      )}
    </>
  )
}

function Orders({ orders, maySeeOrders }: { orders: ReaderView['orders']; maySeeOrders: boolean }) {
  if (orders.length === 0) return <p className="text-body text-ink-2">No orders on the storefront.</p>
  return <FirstOf items={orders} noun="order" list={(visible) => orderList(visible, maySeeOrders)} />
}

function orderList(orders: readonly ReaderView['orders'][number][], maySeeOrders: boolean) {
  return (
    <ul className="divide-y divide-line">
      {orders.map((order) => (
        <li key={order.id} className="flex flex-wrap justify-between gap-x-4 py-2 text-body first:pt-0 last:pb-0">
          <span>
            {maySeeOrders ? (
              <Link to={`/orderDetails/${order.id}`} className="link font-medium">
                {order.orderNumber}
              </Link>
            ) : (
              <span className="font-medium">{order.orderNumber}</span>
            )}{' '}
            <span className="text-ink-2">{order.productName}</span>
          </span>
          <span className="text-ink-2">
            <DayText day={order.orderedOn} />, <Money value={order.paymentType === 'Free' ? null : order.money} />
          </span>
        </li>
      ))}
    </ul>
  )
}

const historyKindNames: Record<string, string> = {
  added: 'Added',
  subscribed: 'Subscribed',
  renewed: 'Renewed',
  edited: 'Edited',
  'renewal-off': 'Automatic renewal turned off',
  'renewal-price': 'Renewal price changed',
  reversed: 'Order reversed',
  deactivated: 'Deactivated',
  reactivated: 'Reactivated',
  restored: 'Restored',
  merged: 'Merged',
  unmerged: 'Merge undone',
  imported: 'Changed by an import',
  'import-undone': 'Import undone',
}

function History({ reader: { history, importedHistory }, timeZone }: { reader: ReaderView; timeZone: string }) {
  return (
    <Section title="History">
      {history.length === 0 && !importedHistory && (
        <p className="text-body text-ink-2">No changes since the record was added.</p>
      )}
      <FirstOf items={history} noun="entry" list={(visible) => historyList(visible, timeZone)} />
      {importedHistory && (
        <div className={history.length > 0 ? 'mt-4 border-t border-line pt-3' : ''}>
          <h3 className="text-table text-muted">Subscription history</h3>
          <p className="text-body wrap-break-word whitespace-pre-line">{importedHistory}</p>
        </div>
      )}
    </Section>
  )
}

function historyList(history: readonly ReaderView['history'][number][], timeZone: string) {
  return (
    <ol className="space-y-3">
      {history.map((entry) => (
        <li key={entry.id} className="border-l-2 border-line pl-3 text-body">
          <p className="font-medium">{historyKindNames[entry.kind] ?? entry.kind}</p>
          {(entry.subType || entry.paid) && (
            <p className="text-ink-2">
              {entry.subType && <SubTypeText type={entry.subType} />}
              {entry.startOn && entry.endOn && (
                <>
                  {' '}
                  <DayText day={entry.startOn} /> to <DayText day={entry.endOn} />
                </>
              )}
              {entry.paid && (
                <>
                  , <Money value={entry.paid} />
                </>
              )}
            </p>
          )}
          {entry.note && <p className="text-ink-2">{entry.note}</p>}
          <p className="text-caption text-muted">
            <Moment at={entry.at} timeZone={timeZone} />
            {entry.by && `, ${entry.by}`}
          </p>
        </li>
      ))}
    </ol>
  )
}
