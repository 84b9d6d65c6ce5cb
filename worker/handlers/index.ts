import { runFix } from '#core/data-quality/run-fix.ts'
import { runLikelySearch } from '#core/data-quality/run-likely-search.ts'
import { runMergeBatch } from '#core/data-quality/run-merge-batch.ts'
import { runUndoBatch } from '#core/data-quality/run-undo-batch.ts'
import { sendAccountNotice } from '#core/emails/send-account-notice.ts'
import { sendBuyerNotice } from '#core/emails/send-buyer-notice.ts'
import { sendBuyerResetLink } from '#core/emails/send-buyer-reset-link.ts'
import { sendContactRequest } from '#core/emails/send-contact-request.ts'
import { sendDirectDebitNotice } from '#core/emails/send-direct-debit-notice.ts'
import { sendGiftNotice } from '#core/emails/send-gift-notice.ts'
import { sendInvitation } from '#core/emails/send-invitation.ts'
import { sendOrderNotice } from '#core/emails/send-order-notice.ts'
import { sendOrderReceipt } from '#core/emails/send-order-receipt.ts'
import { sendPaymentFailed } from '#core/emails/send-payment-failed.ts'
import { sendResetLink } from '#core/emails/send-reset-link.ts'
import { sendWelcome } from '#core/emails/send-welcome.ts'
import { removeImage } from '#core/images/remove-image.ts'
import { cleanUp } from '#core/jobs/clean-up.ts'
import { askAfterOrder } from '#core/orders/ask-after-order.ts'
import { settlePendingOrders } from '#core/orders/settle-pending-orders.ts'
import type { JobHandlers } from '#core/platform/queue/run-job.ts'
import { importPostcodes } from '#core/postcode-files/import-postcodes.ts'
import { settleSignups } from '#core/signup/settle-signups.ts'
import { checkUpload } from '#core/uploads/check-upload.ts'
import { runUndo } from '#core/uploads/run-undo.ts'
import { runUpload } from '#core/uploads/run-upload.ts'

/** Which use-case does which job. A job of the catalogue without one here does not compile. */
export const handlers: JobHandlers = {
  'send-receipt': sendOrderReceipt,
  'send-order-notice': sendOrderNotice,
  'send-gift-notice': sendGiftNotice,
  'send-direct-debit-notice': sendDirectDebitNotice,
  'send-payment-failed': sendPaymentFailed,
  'send-reset-link': sendResetLink,
  'send-invitation': sendInvitation,
  'send-account-notice': sendAccountNotice,
  'send-buyer-reset-link': sendBuyerResetLink,
  'send-buyer-notice': sendBuyerNotice,
  'send-welcome': sendWelcome,
  'send-contact-request': sendContactRequest,
  'remove-image': removeImage,
  'settle-order': askAfterOrder,
  'settle-pending-orders': settlePendingOrders,
  'settle-signups': settleSignups,
  'find-likely': runLikelySearch,
  'merge-likely': runMergeBatch,
  'undo-merges': runUndoBatch,
  'check-upload': checkUpload,
  'run-import': runUpload,
  'undo-import': runUndo,
  'fix-readers': runFix,
  'import-postcodes': importPostcodes,
  'clean-up': cleanUp,
}
