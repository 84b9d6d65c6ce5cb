import type { PaidSignup } from '#core/signup/list-signups.query.ts'
import { Badge } from '../ui/badge.tsx'
import type { Column } from '../ui/data-table.tsx'
import { Moment, Money } from '../ui/formats.tsx'

const outcomes = {
  registered: { text: 'Registered by hand', tone: 'success' },
  refunded: { text: 'Refunded', tone: 'neutral' },
  closed: { text: 'Settled elsewhere', tone: 'neutral' },
} as const

/** The state of a paid sign-up as a badge. */
export function SignupBadge({ status, settled }: Pick<PaidSignup, 'status' | 'settled'>) {
  if (status) return <Badge tone={status.tone}>{status.label}</Badge>
  return settled && <Badge tone={outcomes[settled.how].tone}>{outcomes[settled.how].text}</Badge>
}

/** The columns of paid sign-ups: for unsettled ones the reason, for settled ones the outcome and who settled them. */
export function signupColumns({ isOpen, timeZone }: { isOpen: boolean; timeZone: string }): Column<PaidSignup>[] {
  return [
    {
      header: 'Company',
      onCard: 'title',
      cell: ({ companyName, name, email }) => (
        <span className="block wrap-anywhere md:max-w-56">
          <span className="block font-medium">{companyName || name}</span>
          <span className="block font-normal text-muted">{companyName ? `${name}, ${email}` : email}</span>
        </span>
      ),
    },
    { header: 'Paid', cell: ({ paidAt }) => <Moment at={paidAt} timeZone={timeZone} /> },
    { header: 'Plan', cell: ({ planName }) => planName },
    { header: 'Amount', isNumber: true, cell: ({ money }) => <Money value={money} /> },
    ...(isOpen
      ? [
          {
            header: 'Reason',
            cell: ({ status }: PaidSignup) =>
              status && (
                <span className="block space-y-1 wrap-anywhere md:max-w-96">
                  <Badge tone={status.tone}>{status.label}</Badge>
                  <span className="block">{status.why}</span>
                  <span className="block text-muted">{status.next}</span>
                </span>
              ),
          },
        ]
      : [
          {
            header: 'Outcome',
            cell: (signup: PaidSignup) => (
              <span className="block space-y-1 wrap-anywhere md:max-w-96">
                <SignupBadge {...signup} />
                {signup.settled?.note && <span className="block">{signup.settled.note}</span>}
              </span>
            ),
          },
          {
            header: 'When',
            cell: ({ settled }: PaidSignup) => settled && <Moment at={settled.at} timeZone={timeZone} />,
          },
          {
            header: 'By',
            cell: ({ settled }: PaidSignup) => <span className="wrap-anywhere">{settled?.by}</span>,
          },
        ]),
  ]
}
