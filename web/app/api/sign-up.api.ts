import { z } from 'zod'
import { checkCoupon } from '#core/signup/check-coupon.ts'
import { finishSignup } from '#core/signup/finish-signup.ts'
import { plansOnSale } from '#core/signup/plans-on-sale.ts'
import { registerPublisher } from '#core/signup/register-publisher.ts'
import { startSignup } from '#core/signup/start-signup.ts'
import { type ApiTable, get, post } from './api-call.ts'
import {
  registrationBody,
  WireCoupon,
  WireNewPublisher,
  WirePlan,
  wireCoupon,
  wireNewPublisher,
  wirePlan,
} from './sign-up.wire.ts'

/** A publisher's own sign-up: the plan, its payment, the registration. */
export const signUpApi: ApiTable = {
  prefix: 'users',
  calls: [
    get({
      path: '/v2/product/',
      summary:
        'The plans for publishers, in pounds a month: the standard ones from one title to ten, then those with the app',
      useCase: plansOnSale,
      response: z.array(WirePlan),
      toResponse: ({ plans }) => plans.map(wirePlan),
    }),
    post({
      path: '/v2/promocode/check/',
      summary: 'The coupon of a code; 404 if there is no valid one',
      useCase: checkCoupon,
      body: { pattern: 'code' },
      response: WireCoupon,
      toResponse: wireCoupon,
      extraStatuses: [404, 409],
    }),
    post({
      path: '/v2/subscribe/',
      summary:
        'Start a sign-up. plan_type is the key of a plan, app_option adds the mobile app, price_type is VAT for the United Kingdom and TAXFREE elsewhere. The response opens the payment form of the provider.',
      useCase: startSignup,
      body: {
        plan_type: 'planKey',
        app_option: 'hasApp',
        email: 'email',
        username: 'name',
        price_type: 'priceType',
        promocode: 'couponId',
        country: 'country',
      },
      response: z.object({ client_secret: z.string() }),
      toResponse: ({ clientSecret }) => ({ client_secret: clientSecret }),
      extraStatuses: [409],
    }),
    post({
      path: '/v2/register/',
      summary: 'Register the publisher of a sign-up that is paid. The same call again gives the same publisher.',
      useCase: finishSignup,
      body: { ...registrationBody, planType: 'planKey', paymentIntentId: 'paymentIntentId' },
      response: WireNewPublisher,
      toResponse: wireNewPublisher,
      extraStatuses: [404, 409],
    }),
    post({
      path: '/register',
      summary:
        'Register a publisher without a payment: with a code that makes the plan free, or where this installation takes no money',
      useCase: registerPublisher,
      body: { ...registrationBody, planType: 'planKey', app_option: 'hasApp', promocode: 'couponId' },
      response: WireNewPublisher,
      toResponse: wireNewPublisher,
      status: 201,
      extraStatuses: [409],
    }),
  ],
}

export const planSettingsApi: ApiTable = {
  prefix: 'account',
  calls: [
    get({
      path: '/settings/',
      summary: 'The key with which a browser opens the payment form for a plan; null where nobody can sign up',
      useCase: plansOnSale,
      response: z.object({ publishableKey: z.string().nullable() }),
      toResponse: ({ publishableKey }) => ({ publishableKey }),
    }),
  ],
}
