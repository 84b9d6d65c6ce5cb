// Written by `npm run screenshots`.
import account from './account.avif?url'
import addPublication from './add-publication.avif?url'
import dashboard from './dashboard.avif?url'
import dashboardSmall from './dashboard-small.avif?url'
import ledger from './ledger.avif?url'
import mailTexts from './mail-texts.avif?url'
import mailingFile from './mailing-file.avif?url'
import mailingFileSmall from './mailing-file-small.avif?url'
import manageData from './manage-data.avif?url'
import manageDataSmall from './manage-data-small.avif?url'
import payments from './payments.avif?url'
import promoCodes from './promo-codes.avif?url'
import reader from './reader.avif?url'
import schedule from './schedule.avif?url'
import scheduleSmall from './schedule-small.avif?url'
import storefront from './storefront.avif?url'
import storefrontPhone from './storefront-phone.avif?url'
import storefrontPhoneSmall from './storefront-phone-small.avif?url'
import storefrontSmall from './storefront-small.avif?url'
import upload from './upload.avif?url'
import users from './users.avif?url'

/** Screenshots of the product: each at double resolution, those of the landing page also small. */
export const screenshots = {
  account: { src: account, small: null, width: 640, height: 440 },
  'add-publication': { src: addPublication, small: null, width: 640, height: 440 },
  dashboard: { src: dashboard, small: dashboardSmall, width: 1120, height: 760 },
  ledger: { src: ledger, small: null, width: 640, height: 440 },
  'mail-texts': { src: mailTexts, small: null, width: 640, height: 440 },
  'mailing-file': { src: mailingFile, small: mailingFileSmall, width: 820, height: 604 },
  'manage-data': { src: manageData, small: manageDataSmall, width: 820, height: 724 },
  payments: { src: payments, small: null, width: 640, height: 440 },
  'promo-codes': { src: promoCodes, small: null, width: 640, height: 440 },
  reader: { src: reader, small: null, width: 640, height: 440 },
  schedule: { src: schedule, small: scheduleSmall, width: 820, height: 604 },
  storefront: { src: storefront, small: storefrontSmall, width: 1120, height: 700 },
  'storefront-phone': { src: storefrontPhone, small: storefrontPhoneSmall, width: 390, height: 760 },
  upload: { src: upload, small: null, width: 640, height: 440 },
  users: { src: users, small: null, width: 640, height: 440 },
} as const

export type Screenshot = keyof typeof screenshots
