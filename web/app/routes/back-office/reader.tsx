import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Link, useLoaderData } from '@remix-run/react'
import { can } from '#core/access/permissions.ts'
import { countryName } from '#core/kernel/countries.ts'
import { dayOf } from '#core/kernel/dates.ts'
import { getReader, type ReaderView } from '#core/readers/get-reader.query.ts'
import { optOuts } from '#core/readers/opt-outs.rules.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { Fact, Facts, Section } from '#web/app/components/ui/facts.tsx'
import { DayText, Moment, Money } from '#web/app/components/ui/formats.tsx'
import { ReaderState, readerName, SubTypeText } from '#web/app/components/ui/reader-cells.tsx'
import { SubscriptionBar } from '#web/app/components/ui/subscription-bar.tsx'
import { enter } from '#web/app/http/enter.ts'
import { idParam } from '#web/app/http/param-id.ts'

type Loaded = Awaited<ReturnType<typeof loader>>

export const handle: CrumbHandle<Loaded> = {
  crumbs: ({ reader }) => [
    { label: 'Readers', to: '/readers' },
    { label: reader.publicationName, to: `/searchreaders/${reader.publicationId}` },
    { label: readerName(reader) },
  ],
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? readerName(data.reader) : 'Reader'} – Masthead` },
]

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const ctx = await enter(request, context, 'reader')
  const reader = await getReader(ctx, { id: idParam(params.readerId, 'The reader') })
  const { timeZone } = ctx.settings
  return {
    reader,
    country: reader.address.country ? countryName(reader.address.country) : '',
    today: dayOf(ctx.now(), timeZone),
    timeZone,
    maySeeOrders: can(ctx.actor, 'order:read'),
  }
}

const origins = { file: 'Imported file', storefront: 'Storefront', staff: 'Entered by staff' } as const

export default function Reader() {
  const { reader, country, today, timeZone, maySeeOrders } = useLoaderData<typeof loader>()
  const { address } = reader
  const lines = [
    address.one,
    address.two,
    address.three,
    address.four,
    address.city,
    address.state,
    address.postCode,
    country,
  ].filter(Boolean)
  return (
    <>
      <PageHeader
        title={readerName(reader)}
        note={
          <>
            {reader.isDeleted ? 'Deactivated Reader' : 'Active Reader'}{' '}
            <ReaderState state={reader.subscription.state} isDeleted={reader.isDeleted} />
          </>
        }
      />
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <div className="space-y-4">
          <Section title="Subscription">
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
              <Fact label="Renewal">
                <DayText day={reader.subscription.renewOn} />
              </Fact>
              <Fact label="Unique reference">{reader.uniqueReference}</Fact>
            </Facts>
          </Section>
          <Section title="Orders">
            {reader.orders.length === 0 && (
              <p className="text-body text-ink-2">This reader has bought nothing on the storefront.</p>
            )}
            <ul className="divide-y divide-line">
              {reader.orders.map((order) => (
                <li
                  key={order.id}
                  className="flex flex-wrap justify-between gap-x-4 py-2 text-body first:pt-0 last:pb-0"
                >
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
                    <DayText day={order.orderedOn} />,{' '}
                    <Money value={order.paymentType === 'Free' ? null : order.money} />
                  </span>
                </li>
              ))}
            </ul>
          </Section>
          <History reader={reader} timeZone={timeZone} />
        </div>
        <div className="space-y-4">
          <Section title="Name and address">
            <Facts>
              <Fact label="Title">{reader.title}</Fact>
              <Fact label="First name">{reader.firstName}</Fact>
              <Fact label="Last name">{reader.lastName}</Fact>
              <Fact label="Full name">{reader.fullName}</Fact>
              <Fact label="Company">{reader.companyName}</Fact>
              <Fact label="Job title">{reader.jobTitle}</Fact>
              <Fact label="Address" isWide>
                {lines.join('\n')}
              </Fact>
              <Fact label="Email">{reader.email}</Fact>
              <Fact label="Telephone">{reader.telephone}</Fact>
              <Fact label="Fax">{reader.fax}</Fact>
              <Fact label="Web address">{reader.webAddress}</Fact>
            </Facts>
          </Section>
          <Consent reader={reader} />
          <Section title="Where the record comes from">
            <Facts>
              <Fact label="Origin">{origins[reader.origin]}</Fact>
              <Fact label="Reader type">{reader.readerType}</Fact>
              <Fact label="Data source 1">{reader.dataSources[0]}</Fact>
              <Fact label="Data source 2">{reader.dataSources[1]}</Fact>
              <Fact label="Added">
                <Moment at={reader.createdAt} timeZone={timeZone} />
              </Fact>
              <Fact label="Last modified">
                <Moment at={reader.updatedAt} timeZone={timeZone} />
                {reader.modifiedBy && ` by ${reader.modifiedBy}`}
              </Fact>
            </Facts>
          </Section>
        </div>
      </div>
    </>
  )
}

const kinds: Record<string, string> = {
  added: 'Added',
  subscribed: 'Subscribed',
  renewed: 'Renewed',
  edited: 'Edited',
  'renewal-off': 'Automatic renewal turned off',
  reversed: 'Order taken back',
  deactivated: 'Deactivated',
  reactivated: 'Reactivated',
}

function History({ reader, timeZone }: { reader: ReaderView; timeZone: string }) {
  const { history, importedHistory } = reader
  return (
    <Section title="History">
      {history.length === 0 && !importedHistory && (
        <p className="text-body text-ink-2">Nothing has changed since the record was added.</p>
      )}
      <ol className="space-y-3">
        {history.map((entry) => (
          <li key={entry.id} className="border-l-2 border-line pl-3 text-body">
            <p className="font-medium">{kinds[entry.kind] ?? entry.kind}</p>
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
            </p>
          </li>
        ))}
      </ol>
      {importedHistory && (
        <div className={history.length > 0 ? 'mt-4 border-t border-line pt-3' : ''}>
          <h3 className="text-table text-muted">From the imported file</h3>
          <p className="text-body wrap-break-word whitespace-pre-line">{importedHistory}</p>
        </div>
      )}
    </Section>
  )
}

function Consent({ reader }: { reader: ReaderView }) {
  return (
    <Section title="Contact permissions">
      <ul className="grid gap-x-6 gap-y-2 text-body sm:grid-cols-2">
        {optOuts.map(({ field, label }) => (
          <li key={field} className="flex justify-between gap-3">
            <span className="text-ink-2">{label}</span>
            <span className="shrink-0 font-medium">{reader.optOuts[field] ? 'No' : 'Yes'}</span>
          </li>
        ))}
      </ul>
      {reader.answers.length > 0 && (
        <div className="mt-4 border-t border-line pt-3">
          <h3 className="mb-2 text-body font-semibold">Questions</h3>
          <Facts>
            {reader.answers.map(({ question, answer }) => (
              <Fact key={question} label={question || 'A question that is no longer asked'} isWide>
                {answer}
              </Fact>
            ))}
          </Facts>
        </div>
      )}
    </Section>
  )
}
