import { createHash } from 'node:crypto'
import { formatMinorUnits } from '#core/kernel/money.ts'
import type { GatewayPayment, PaymentStep } from '#core/ports/payment-gateway.ts'

/** The rules for what the hosted page does after a payment, by Secure Trading's identifiers. */
const rules = {
  redirectWhenPaid: 'STR-6',
  redirectWhenDeclined: 'STR-7',
  notifyAlways: 'STR-10',
}

/**
 * The fields that the site security hash covers, in Secure Trading's default order unless it has agreed on another with the
 * publisher. The page rejects a form in which one of them was changed in the browser.
 */
const signedFields = [
  'currencyiso3a',
  'mainamount',
  'sitereference',
  'version',
  'stprofile',
  'ruleidentifier',
  'stdefaultprofile',
  'successfulurlredirect',
  'declinedurlredirect',
  'allurlnotification',
  'sitesecuritytimestamp',
]

/** The form that takes a buyer to Secure Trading's page. It is signed if the publisher has agreed on a site security password. */
export function hostedPageForm(pagesBase: string, payment: GatewayPayment, now: Date): PaymentStep {
  const { billing, email } = payment.buyer
  const notification = new URL(`/api/webhooks/secure-trading/${payment.publisherId}`, payment.returnUrl)
  const fields = Object.entries({
    sitereference: payment.payee.ref ?? '',
    stprofile: 'default',
    stdefaultprofile: 'st_paymentcardonly',
    version: '2',
    _charset_: 'UTF-8',
    currencyiso3a: payment.money.currency,
    mainamount: formatMinorUnits(payment.money.amount),
    orderreference: payment.orderNumber,
    billingfirstname: billing.firstName,
    billinglastname: billing.lastName,
    billingpremise: billing.addressOne,
    billingstreet: [billing.addressTwo, billing.addressThree].filter(Boolean).join(', '),
    billingtown: billing.city,
    billingcounty: billing.state,
    billingpostcode: billing.postCode,
    billingcountryiso2a: billing.country,
    billingemail: email,
    successfulurlredirect: payment.returnUrl,
    // That page queries the outcome and shows it; after a declined card the buyer retries with a new order.
    declinedurlredirect: payment.returnUrl,
    allurlnotification: notification.href,
    sitesecuritytimestamp: utcSeconds(now),
  }).flatMap(([name, value]) => (value === '' ? [] : [{ name, value }]))
  fields.push(...Object.values(rules).map((value) => ({ name: 'ruleidentifier', value })))
  const { sitePass } = payment.payee
  if (sitePass) fields.push({ name: 'sitesecurity', value: siteSecurity(fields, sitePass) })
  return { kind: 'post', url: `${pagesBase}/process/payments/choice`, fields }
}

function siteSecurity(fields: { name: string; value: string }[], password: string): string {
  const values = signedFields.flatMap((name) => fields.filter((field) => field.name === name).map(({ value }) => value))
  // The prefix h names the hash algorithm.
  return `h${sha256(values.join('') + password)}`
}

/** The hash of a notification: its values in the order of their names, then the password. Two fields are excluded. */
export function notificationHash(notification: URLSearchParams, password: string): string {
  const values = [...notification]
    .filter(([name]) => name !== 'responsesitesecurity' && name !== 'notificationreference')
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, value]) => value)
  return sha256(values.join('') + password)
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}

/** 2026-11-21 10:00:00, in UTC. The page accepts the form for three hours from then. */
function utcSeconds(moment: Date): string {
  return moment.toISOString().slice(0, 19).replace('T', ' ')
}
