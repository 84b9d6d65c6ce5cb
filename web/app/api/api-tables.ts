import { accountApi, ownAccountApi } from './account.api.ts'
import { analyticsApi } from './analytics.api.ts'
import type { ApiTable } from './api-call.ts'
import { backIssueApi } from './back-issue.api.ts'
import { buyerApi } from './buyer.api.ts'
import { contactApi } from './contact.api.ts'
import { emailsApi } from './emails.api.ts'
import { externalApi } from './external.api.ts'
import { backIssueImageApi, publicationImageApi } from './image.api.ts'
import { logInApi } from './log-in.api.ts'
import { orderApi } from './order.api.ts'
import { promoApi } from './promo.api.ts'
import { publicationApi } from './publication.api.ts'
import { planSettingsApi, signUpApi } from './sign-up.api.ts'
import { subscriberApi } from './subscriber.api.ts'
import { thirdPartyApi } from './third-party.api.ts'
import { usersApi } from './users.api.ts'
import { webhookApi } from './webhook.api.ts'

/** All API calls: a call that is not in one of these tables does not exist. */
export const apiTables: readonly ApiTable[] = [
  logInApi,
  usersApi,
  ownAccountApi,
  accountApi,
  signUpApi,
  planSettingsApi,
  publicationApi,
  promoApi,
  publicationImageApi,
  backIssueImageApi,
  subscriberApi,
  orderApi,
  emailsApi,
  analyticsApi,
  buyerApi,
  backIssueApi,
  contactApi,
  externalApi,
  thirdPartyApi,
  webhookApi,
]
