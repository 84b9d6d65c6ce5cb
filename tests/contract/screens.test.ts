import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { userTypes } from '#core/access/user-types.ts'
import { projectRoot } from '#core/platform/project-root.ts'
import { type ScreenName, screenAccess, screens } from '#web/app/http/screens.ts'
import { staffRoutes } from '../support/staff-routes.ts'

const everyType = [...userTypes]
const publisherStaff = ['publisher', 'pubadmin']
const managers = ['publisher', 'pubadmin', 'superuser', 'reseller']
const landingPage = (type: string) =>
  publisherStaff.includes(type) ? '/dashboard' : ['superuser', 'reseller'].includes(type) ? '/publishers' : '/readers'
const toReaders = () => '/readers'

/** The specification's own table of screens: who may stay, and where the others are redirected. An added screen says why. */
const specified: Record<ScreenName, { who: string[]; redirectTo: (type: string) => string }> = {
  dashboard: {
    who: publisherStaff,
    redirectTo: (type) => (['superuser', 'reseller'].includes(type) ? '/publishers' : '/readers'),
  },
  // Circulation of any day; the specification has only today's figures.
  circulation: { who: publisherStaff, redirectTo: toReaders },
  downloadCirculation: { who: publisherStaff, redirectTo: toReaders },
  publications: { who: publisherStaff, redirectTo: toReaders },
  addPublication: { who: publisherStaff, redirectTo: toReaders },
  editPublication: { who: publisherStaff, redirectTo: toReaders },
  copiesToPost: { who: publisherStaff, redirectTo: toReaders },
  downloadCopiesToPost: { who: publisherStaff, redirectTo: toReaders },
  backIssues: { who: publisherStaff, redirectTo: () => '/publications' },
  addBackIssue: { who: publisherStaff, redirectTo: toReaders },
  editBackIssue: { who: publisherStaff, redirectTo: toReaders },
  promoCodes: { who: publisherStaff, redirectTo: toReaders },
  addPromo: { who: publisherStaff, redirectTo: toReaders },
  editPromo: { who: publisherStaff, redirectTo: toReaders },
  scriptKeys: { who: ['publisher', 'pubadmin', 'admin', 'mailer'], redirectTo: landingPage },
  thirdParty: {
    who: publisherStaff,
    redirectTo: (type: string) => (['superuser', 'reseller'].includes(type) ? '/publishers' : '/readers'),
  },
  webhooks: {
    who: publisherStaff,
    redirectTo: (type: string) => (['superuser', 'reseller'].includes(type) ? '/publishers' : '/readers'),
  },
  webhook: {
    who: publisherStaff,
    redirectTo: (type: string) => (['superuser', 'reseller'].includes(type) ? '/publishers' : '/readers'),
  },
  emailTemplates: { who: publisherStaff, redirectTo: toReaders },
  // A publisher's own sender address.
  sender: { who: publisherStaff, redirectTo: toReaders },
  mailLog: { who: publisherStaff, redirectTo: toReaders },
  loggedMail: { who: publisherStaff, redirectTo: toReaders },
  users: { who: managers, redirectTo: toReaders },
  addUser: { who: managers, redirectTo: toReaders },
  editUser: { who: managers, redirectTo: toReaders },
  publishers: { who: ['superuser', 'reseller'], redirectTo: landingPage },
  addPublisher: { who: ['superuser', 'reseller'], redirectTo: landingPage },
  account: { who: everyType, redirectTo: landingPage },
  readers: { who: ['publisher', 'pubadmin', 'admin', 'mailer'], redirectTo: () => '/publishers' },
  // One search over all titles; the specification has one for each title.
  search: { who: ['publisher', 'pubadmin', 'admin'], redirectTo: toReaders },
  searchReaders: { who: ['publisher', 'pubadmin', 'admin'], redirectTo: toReaders },
  addReader: { who: ['publisher', 'pubadmin', 'admin'], redirectTo: toReaders },
  // A part of the reader forms.
  lookUpAddresses: { who: ['publisher', 'pubadmin', 'admin'], redirectTo: toReaders },
  reader: { who: ['publisher', 'pubadmin', 'admin'], redirectTo: toReaders },
  payments: { who: publisherStaff, redirectTo: toReaders },
  // Parts of the sales ledger that the specification does not have.
  renewals: { who: publisherStaff, redirectTo: toReaders },
  renewalSeries: { who: publisherStaff, redirectTo: toReaders },
  renewalSeriesResults: { who: publisherStaff, redirectTo: toReaders },
  renewalOffers: { who: publisherStaff, redirectTo: toReaders },
  renewalSettings: { who: publisherStaff, redirectTo: toReaders },
  renewalPrices: { who: publisherStaff, redirectTo: toReaders },
  downloadRenewalLetters: { who: publisherStaff, redirectTo: toReaders },
  downloadRenewals: { who: publisherStaff, redirectTo: toReaders },
  schedule: { who: publisherStaff, redirectTo: toReaders },
  opening: { who: publisherStaff, redirectTo: toReaders },
  refundPolicy: { who: publisherStaff, redirectTo: toReaders },
  closeMonths: { who: publisherStaff, redirectTo: toReaders },
  monthlyPack: { who: publisherStaff, redirectTo: toReaders },
  reconcile: { who: publisherStaff, redirectTo: toReaders },
  downloadReconciliation: { who: publisherStaff, redirectTo: toReaders },
  vat: { who: publisherStaff, redirectTo: toReaders },
  vatSettings: { who: publisherStaff, redirectTo: toReaders },
  downloadVat: { who: publisherStaff, redirectTo: toReaders },
  downloadSchedule: { who: publisherStaff, redirectTo: toReaders },
  downloadJournal: { who: publisherStaff, redirectTo: toReaders },
  invoices: { who: publisherStaff, redirectTo: toReaders },
  invoice: { who: publisherStaff, redirectTo: toReaders },
  downloadDebtors: { who: publisherStaff, redirectTo: toReaders },
  newOrder: { who: publisherStaff, redirectTo: toReaders },
  orderDetails: { who: publisherStaff, redirectTo: toReaders },
  manageData: {
    who: publisherStaff,
    redirectTo: (type) => (['superuser', 'reseller'].includes(type) ? '/publishers' : '/readers'),
  },
  // Parts of Manage Data.
  manageDataCounts: {
    who: publisherStaff,
    redirectTo: (type) => (['superuser', 'reseller'].includes(type) ? '/publishers' : '/readers'),
  },
  downloadWarning: { who: publisherStaff, redirectTo: toReaders },
  // Spec 3 names the upload pages without their roles: they have those of Manage Data, which links there.
  upload: {
    who: publisherStaff,
    redirectTo: (type) => (['superuser', 'reseller'].includes(type) ? '/publishers' : '/readers'),
  },
  imports: {
    who: publisherStaff,
    redirectTo: (type) => (['superuser', 'reseller'].includes(type) ? '/publishers' : '/readers'),
  },
  transfers: {
    who: publisherStaff,
    redirectTo: (type) => (['superuser', 'reseller'].includes(type) ? '/publishers' : '/readers'),
  },
  transfer: {
    who: publisherStaff,
    redirectTo: (type) => (['superuser', 'reseller'].includes(type) ? '/publishers' : '/readers'),
  },
  uploadPostcodes: {
    who: publisherStaff,
    redirectTo: (type) => (['superuser', 'reseller'].includes(type) ? '/publishers' : '/readers'),
  },
  downloadRejects: { who: publisherStaff, redirectTo: toReaders },
  downloadBackup: { who: publisherStaff, redirectTo: toReaders },
  likelyDuplicates: {
    who: publisherStaff,
    redirectTo: (type) => (['superuser', 'reseller'].includes(type) ? '/publishers' : '/readers'),
  },
  // Parts of a publication's card.
  changeImage: { who: publisherStaff, redirectTo: toReaders },
  preview: { who: publisherStaff, redirectTo: toReaders },
  // Parts of the reader home's cards.
  downloadMailingFile: { who: ['publisher', 'pubadmin', 'mailer'], redirectTo: toReaders },
  downloadAllReaders: { who: publisherStaff, redirectTo: toReaders },
  // Parts of My Account; the plan is the publisher’s alone.
  plan: { who: ['publisher'], redirectTo: landingPage },
  planChange: { who: ['publisher'], redirectTo: landingPage },
  planCard: { who: ['publisher'], redirectTo: landingPage },
  planStart: { who: ['publisher'], redirectTo: landingPage },
  planInvoice: { who: ['publisher'], redirectTo: landingPage },
  twoStep: { who: everyType, redirectTo: landingPage },
  activity: { who: ['superuser', 'publisher', 'pubadmin'], redirectTo: landingPage },
  // Requests of the download window.
  mailingFile: { who: ['publisher', 'pubadmin', 'mailer'], redirectTo: toReaders },
  mailingLayouts: { who: publisherStaff, redirectTo: toReaders },
  downloadProgress: { who: everyType, redirectTo: landingPage },
  // Shown by the landing page; the specification does not say who edits it.
  testimonials: { who: ['superuser'], redirectTo: landingPage },
  // A paid sign-up without a publisher: a case of the sign-up.
  signUps: { who: ['superuser'], redirectTo: landingPage },
  // The layout around all screens.
  shell: { who: everyType, redirectTo: landingPage },
}

describe('the screens behind the log-in', () => {
  it('match the specification', () => {
    expect(Object.keys(screens).sort()).toEqual(Object.keys(specified).sort())
    for (const [name, { who, redirectTo }] of Object.entries(specified)) {
      for (const type of userTypes) {
        const expected = who.includes(type) ? { isAllowed: true } : { isAllowed: false, redirectTo: redirectTo(type) }
        expect([name, type, screenAccess(name as ScreenName, type)]).toEqual([name, type, expected])
      }
    }
  })

  it('each have a route', () => {
    const used = new Set<string>(staffRoutes.map(({ screen }) => screen))
    expect(Object.keys(screens).filter((name) => name !== 'shell' && !used.has(name))).toEqual([])
  })

  it('are protected by every loader and every action, so that none is open', () => {
    for (const { file } of staffRoutes) {
      const source = readFileSync(join(projectRoot(), 'web/app', file), 'utf8')
      const handlers = source.match(/^export (async )?function (loader|action)\b/gm) ?? []
      const required = source.match(/\brequireScreen\(request, context, '\w+'\)/g) ?? []
      expect([file, required.length >= handlers.length && handlers.length > 0]).toEqual([file, true])
    }
  })
})
