import { createHash, randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import express, { type Request } from 'express'
import { type FaultyResponses, faultyResponses } from './faulty-responses.ts'
import { atFileEnd } from './file-end.ts'

type Transaction = Record<string, string>
type Posted = Record<string, string | string[] | undefined>

export interface SecureTradingServer extends Omit<FaultyResponses, 'handler'> {
  url: string
  keys: { user: string; pass: string; ref: string; sitePass: string }
  requests: string[]
  /** Newest last, as a TRANSACTIONQUERY lists them. Change it to change the response. */
  transactions: Transaction[]
  /** The buyer's actions on the hosted page: posts the form and types a card. Returns the address the page redirects to; throws what it refuses. */
  pay(form: { name: string; value: string }[], card?: string): Promise<string>
  /** Makes the next refund, and loses the response. */
  dropRefundResponse(): void
  /** Whether its notifications arrive. */
  notifies: boolean
  /** A notification about an order's newest transaction, as the page posts it. */
  notification(orderNumber: string): string
}

export const secureTradingCards = {
  paid: '4111111111111111',
  declined: '4111111111111129',
  suspended: '4111111111111137',
}

const signedFields =
  `currencyiso3a mainamount sitereference version stprofile ruleidentifier stdefaultprofile successfulurlredirect
  declinedurlredirect allurlnotification sitesecuritytimestamp`.split(/\s+/)

const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex')

/** A Secure Trading to test against: the hosted page that checks its hash, notifications, redirects and TRANSACTIONQUERY. */
export async function startSecureTradingServer(): Promise<SecureTradingServer> {
  const keys = {
    user: 'ws@standin.example',
    pass: 'standin pass: §',
    ref: `test_standin${randomBytes(3).toString('hex')}`,
    sitePass: 'words that were agreed on',
  }
  const requests: string[] = []
  const transactions: Transaction[] = []
  const faults = faultyResponses()
  let lastNumber = 0
  let isRefundLost = false

  const app = express()
  app.use((request, _, next) => {
    requests.push(`${request.method} ${request.path}`)
    next()
  })
  app.use(express.json(), express.urlencoded({ extended: false }), faults.handler)
  app.post('/json/', (request, response) => {
    const basic = `Basic ${Buffer.from(`${keys.user}:${keys.pass}`).toString('base64')}`
    if (request.headers.authorization !== basic || request.body.alias !== keys.user) {
      return void response.status(401).json({})
    }
    const { requesttypedescriptions, filter } = request.body.request[0]
    if (requesttypedescriptions[0] === 'REFUND') {
      const answer = refund(request.body.request[0])
      if (!isRefundLost) return void response.json(answer)
      isRefundLost = false
      return void request.socket.destroy()
    }
    if (requesttypedescriptions[0] !== 'TRANSACTIONQUERY' || filter.sitereference[0].value !== keys.ref) {
      return void response.json({ version: '1.00', response: [{ errorcode: '30000', errormessage: 'Invalid field' }] })
    }
    const wanted = filter.orderreference[0].value
    const records = transactions.filter(({ orderreference }) => orderreference === wanted)
    response.json({
      version: '1.00',
      response: [
        { requesttypedescription: 'TRANSACTIONQUERY', errorcode: '0', found: String(records.length), records },
      ],
    })
  })
  app.post('/process/payments/choice', (request, response) => {
    const problem = problemOf(request.body)
    if (problem) return void response.status(400).send(`<h1>Invalid details</h1><p>${problem}</p>`)
    const hidden = fieldsOf(request)
      .map(([name, value]) => `<input type="hidden" name="${name}" value="${value.replaceAll('"', '&quot;')}">`)
      .join('')
    response.type('html').send(`<!doctype html><html lang="en"><title>Secure Trading stand-in</title><main>
      <h1>Pay ${request.body.mainamount} ${request.body.currencyiso3a}</h1>
      <form method="post" action="/process/payments/pay">${hidden}
      <label>Card number <input name="pan"></label><button>Pay securely</button></form></main></html>`)
  })
  app.post('/process/payments/pay', async (request, response) => {
    const problem = problemOf(request.body)
    if (problem) return void response.status(400).send(problem)
    response.redirect(303, await charge(request.body))
  })

  const server = app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  atFileEnd(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  /** Standard refunds: only of settled payments, and never more than was paid. */
  function refund({ parenttransactionreference: parent, baseamount, sitereference }: Record<string, string>) {
    const paid = transactions.find(
      (transaction) => transaction.transactionreference === parent && transaction.sitereference === sitereference,
    )
    const answer = (record: object) => ({
      version: '1.00',
      response: [{ requesttypedescription: 'REFUND', ...record }],
    })
    if (!paid) return answer({ errorcode: '20004', errormessage: 'Missing parent' })
    if (paid.settlestatus !== '100')
      return answer({ errorcode: '20003', errormessage: 'Parent transaction not settled' })
    const earlierRefunds = transactions.filter(
      (transaction) => transaction.parenttransactionreference === parent && transaction.errorcode === '0',
    )
    const total = earlierRefunds.reduce((sum, earlier) => sum + Number(earlier.baseamount), Number(baseamount))
    if (total > Number(paid.baseamount)) return answer({ errorcode: '20005', errormessage: 'Refund amount too large' })
    const { orderreference = '', currencyiso3a = '' } = paid
    const record = {
      requesttypedescription: 'REFUND',
      transactionreference: `2-R-${++lastNumber}`,
      parenttransactionreference: String(parent),
      orderreference,
      sitereference: String(sitereference),
      baseamount: String(baseamount),
      currencyiso3a,
      errorcode: '0',
      errormessage: 'Ok',
      settlestatus: '0',
    }
    transactions.push(record)
    return answer(record)
  }

  /** The problem with a posted form, as the page shows it to the buyer. */
  function problemOf(posted: Posted): string | null {
    if (posted.sitereference !== keys.ref) return 'sitereference'
    const values = signedFields.flatMap((name) => posted[name] ?? [])
    return posted.sitesecurity === `h${sha256(values.join('') + keys.sitePass)}` ? null : 'sitesecurity'
  }

  async function charge(posted: Posted): Promise<string> {
    const card = String(posted.pan ?? '').replaceAll(/\s/g, '')
    const isPaid = card !== secureTradingCards.declined
    const rules = [posted.ruleidentifier ?? []].flat()
    transactions.push({
      requesttypedescription: 'AUTH',
      transactionreference: `1-${server.address() && (server.address() as AddressInfo).port}-${++lastNumber}`,
      orderreference: String(posted.orderreference),
      sitereference: keys.ref,
      baseamount: String(Math.round(Number(posted.mainamount) * 100)),
      currencyiso3a: String(posted.currencyiso3a),
      errorcode: isPaid ? '0' : '70000',
      errormessage: isPaid ? 'Ok' : 'Decline',
      settlestatus: !isPaid ? '3' : card === secureTradingCards.suspended ? '2' : '0',
    })
    if (rules.includes('STR-10') && fake.notifies) {
      await fetch(String(posted.allurlnotification), {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' },
        body: fake.notification(String(posted.orderreference)),
      }).catch(() => undefined)
    }
    const url = new URL(String(isPaid ? posted.successfulurlredirect : posted.declinedurlredirect))
    url.searchParams.set('errorcode', isPaid ? '0' : '70000')
    return url.href
  }

  const fake: SecureTradingServer = {
    ...faults,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys,
    requests,
    transactions,
    notifies: false,
    dropRefundResponse() {
      isRefundLost = true
    },
    async pay(form, card = secureTradingCards.paid) {
      const posted: Record<string, string | string[]> = { pan: card }
      for (const { name, value } of form) posted[name] = name in posted ? [posted[name] ?? [], value].flat() : value
      const problem = problemOf(posted)
      if (problem) throw new Error(`Invalid details: ${problem}`)
      return charge(posted)
    },
    notification(orderNumber) {
      const newest = transactions.findLast(({ orderreference }) => orderreference === orderNumber)
      if (!newest) throw new Error(`Secure Trading has no order ${orderNumber}`)
      const names = ['errorcode', 'orderreference', 'settlestatus', 'sitereference', 'transactionreference']
      const values = names.map((name) => newest[name] ?? '')
      return new URLSearchParams([
        ['notificationreference', `1-A${++lastNumber}`],
        ['responsesitesecurity', sha256(values.join('') + keys.sitePass)],
        ...names.map((name, index) => [name, values[index] ?? '']),
      ]).toString()
    },
  }
  return fake
}

function fieldsOf(request: Request): [string, string][] {
  return Object.entries(request.body as Record<string, string | string[]>).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  )
}
