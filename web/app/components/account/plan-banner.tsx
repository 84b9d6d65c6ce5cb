import { formatDay } from '#core/kernel/dates.ts'
import type { PlanNotice } from '#core/plans/get-plan.query.ts'
import { Banner } from '../ui/banner.tsx'
import { LinkButton } from '../ui/button.tsx'
import { unaffectedText } from './plan-texts.ts'

/** Shown on every screen of a publisher and its administrators while the plan is unpaid, ends soon or has ended. */
export function PlanBanner({ notice }: { notice: PlanNotice }) {
  const { billingStatus, cancelsOn, mayPay } = notice
  const action = mayPay && (
    <LinkButton to={billingStatus.kind === 'ended' ? '/account/plan/start' : '/account/plan'} size="small">
      {billingStatus.kind === 'ended' ? 'Choose a plan' : billingStatus.kind === 'unpaid' ? 'Pay' : 'Your plan'}
    </LinkButton>
  )
  const request = mayPay ? '' : ' Please inform your publisher.'
  if (billingStatus.kind === 'unpaid')
    return (
      <Banner
        tone={billingStatus.isStopped ? 'danger' : 'warning'}
        title={
          billingStatus.isStopped ? 'Your storefronts take no new subscriptions' : 'Your plan could not be charged'
        }
        action={action}
      >
        {billingStatus.isStopped
          ? `The plan has been unpaid since ${formatDay(billingStatus.since)}. ${unaffectedText}${request}`
          : `If it is not paid by ${formatDay(billingStatus.stopsOn)}, storefronts stop taking new subscriptions. ${unaffectedText}${request}`}
      </Banner>
    )
  if (billingStatus.kind === 'ended')
    return (
      <Banner tone="danger" title="Your plan has ended" action={action}>
        {`Storefronts take no new subscriptions. ${unaffectedText}${request}`}
      </Banner>
    )
  return (
    <Banner tone="info" title="Your plan is cancelled" action={action}>
      {`It ends on ${cancelsOn ? formatDay(cancelsOn) : 'the last day that is paid for'}.`}
    </Banner>
  )
}
