import { chargeRenewals } from '#core/charging/charge-renewals.ts'
import { readBounceMailbox } from '#core/emails/read-bounce-mailbox.ts'
import { sendMail } from '#core/emails/send-mail.ts'
import { removeImage } from '#core/images/remove-image.ts'
import { remindInvoices } from '#core/invoices/remind-invoices.ts'
import { refreshSums } from '#core/ledger/refresh-sums.ts'
import { analyseIndexes } from '#core/maintenance/analyse-indexes.ts'
import { cleanUp } from '#core/maintenance/clean-up.ts'
import { refreshOrderPayment } from '#core/orders/refresh-order-payment.ts'
import { settlePendingOrders } from '#core/orders/settle-pending-orders.ts'
import { settleRefunds } from '#core/orders/settle-refunds.ts'
import { refreshAgreement } from '#core/payments/refresh-agreement.ts'
import { handlePlanEvent } from '#core/plan-events/handle-plan-event.ts'
import { refreshPlan } from '#core/plans/refresh-plan.ts'
import { refreshPlans } from '#core/plans/refresh-plans.ts'
import type { JobHandlers } from '#core/platform/queue/run-job.ts'
import { recordEndedSubscriptions } from '#core/readers/record-ended-subscriptions.ts'
import { rekeyHomeReaders } from '#core/readers/rekey-home-readers.ts'
import { planRenewals } from '#core/renewals/plan-renewals.ts'
import { checkSenders } from '#core/senders/check-sender.ts'
import { planEfforts } from '#core/series/plan-efforts.ts'
import { settleSignups } from '#core/signup/settle-signups.ts'
import { runTask } from '#core/tasks/run-task.ts'
import { sweepTasks } from '#core/tasks/sweep-tasks.ts'
import { startTransfers } from '#core/transfers/run-transfer.ts'
import { countAllHealth } from '#core/warnings/count-health.ts'
import { taskHandlers } from '../task-handlers.ts'

/** The use case that handles each job. A job in the catalogue that has no handler here is a compile error. */
export const handlers: JobHandlers = {
  'send-mail': (ctx, mail, attempt) => sendMail(ctx, { ...mail, ...attempt }),
  'read-bounces': readBounceMailbox,
  'check-senders': checkSenders,
  'remove-image': removeImage,
  'settle-order': refreshOrderPayment,
  'refresh-agreement': refreshAgreement,
  'settle-pending-orders': settlePendingOrders,
  'settle-refunds': settleRefunds,
  'plan-renewals': planRenewals,
  'plan-efforts': planEfforts,
  'note-ended-subscriptions': recordEndedSubscriptions,
  'start-transfers': startTransfers,
  'charge-renewals': chargeRenewals,
  'refresh-order-sums': refreshSums,
  'remind-invoices': remindInvoices,
  'note-data-health': countAllHealth,
  'handle-plan-event': handlePlanEvent,
  'refresh-plan': refreshPlan,
  'refresh-plans': refreshPlans,
  'rekey-home-readers': rekeyHomeReaders,
  'settle-signups': settleSignups,
  'run-task': runTask(taskHandlers),
  'sweep-tasks': sweepTasks(taskHandlers),
  'clean-up': cleanUp,
  'analyse-indexes': analyseIndexes,
}
