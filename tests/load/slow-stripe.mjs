// A fake Stripe that creates and confirms payments and delays each response: `node slow-stripe.mjs MILLISECONDS`. Prints its port. A separate
// process, so that its cost is not measured.
import { createServer } from 'node:http'

const delayMs = Number(process.argv[2] ?? 200)
const amounts = new Map()
let made = 0

function answer(path, body) {
  if (path === '/v1/payment_intents') {
    const id = `pi_${process.pid}_${++made}`
    amounts.set(id, { amount: Number(body.get('amount')), currency: body.get('currency') })
    return intent(id, { status: 'requires_payment_method' })
  }
  const [, id] = /^\/v1\/payment_intents\/([^/]+)\/confirm$/.exec(path) ?? []
  if (!amounts.has(id)) return undefined
  const card = { last4: '4242', exp_month: 12, exp_year: 2034 }
  const charge = { id: `ch_${id}`, object: 'charge', amount_refunded: 0, disputed: false, status: 'succeeded' }
  const { amount } = amounts.get(id)
  const latest_charge = { ...charge, payment_method_details: { type: 'card', card } }
  return intent(id, { status: 'succeeded', amount_received: amount, latest_charge })
}

function intent(id, fields) {
  return { id, object: 'payment_intent', last_payment_error: null, metadata: {}, ...amounts.get(id), ...fields }
}

const server = createServer((request, response) => {
  let text = ''
  request.on('data', (part) => {
    text += part
  })
  request.on('end', () => {
    const found = answer(request.url, new URLSearchParams(text))
    setTimeout(() => {
      response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' })
      response.end(JSON.stringify(found ?? { error: { type: 'invalid_request_error', message: 'Not known' } }))
    }, delayMs)
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
