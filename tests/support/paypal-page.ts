import { Router } from 'express'
import type { FakeOrder } from './paypal-server.ts'

/** The page of a fake PayPal to which the buyer is redirected: approve, or go back. */
export function payPalPage(orders: Map<string, FakeOrder>): Router {
  const page = Router()
  page.get('/checkoutnow', (request, response) => {
    const order = orders.get(String(request.query.token))
    if (!order) return void response.status(404).send('This order has expired')
    const { amount, description } = order.unit
    response.type('html').send(`<!doctype html><html lang="en"><title>PayPal stand-in</title>
      <main><h1>Pay ${amount.value} ${amount.currency_code}</h1><p>${description}</p>
      <form method="post" action="/checkoutnow"><input type="hidden" name="token" value="${order.id}">
      <button>Agree and pay</button></form>
      <a href="${back(order.cancelUrl, order.id)}">Cancel and return</a></main></html>`)
  })
  page.post('/checkoutnow', (request, response) => {
    const order = orders.get(String(request.body.token))
    if (!order) return void response.status(404).send('This order has expired')
    order.status = 'APPROVED'
    response.redirect(303, `${back(order.returnUrl, order.id)}&PayerID=STANDIN`)
  })
  return page
}

function back(address: string, token: string): string {
  const url = new URL(address)
  url.searchParams.set('token', token)
  return url.href
}
