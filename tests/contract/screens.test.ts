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
const landing = (type: string) =>
  publisherStaff.includes(type) ? '/dashboard' : ['superuser', 'reseller'].includes(type) ? '/publishers' : '/readers'
const toReaders = () => '/readers'

/** The specification's own table of screens: who may stay, and where the others are redirected. An added screen says why. */
const specified: Record<ScreenName, { who: string[]; elsewhere: (type: string) => string }> = {
  dashboard: {
    who: publisherStaff,
    elsewhere: (type) => (['superuser', 'reseller'].includes(type) ? '/publishers' : '/readers'),
  },
  // Circulation of any day; the specification has only today's figures.
  circulation: { who: publisherStaff, elsewhere: toReaders },
  downloadCirculation: { who: publisherStaff, elsewhere: toReaders },
  publications: { who: publisherStaff, elsewhere: toReaders },
  addPublication: { who: publisherStaff, elsewhere: toReaders },
  editPublication: { who: publisherStaff, elsewhere: toReaders },
  copiesToPost: { who: publisherStaff, elsewhere: toReaders },
  downloadCopiesToPost: { who: publisherStaff, elsewhere: toReaders },
  backIssues: { who: publisherStaff, elsewhere: () => '/publications' },
  addBackIssue: { who: publisherStaff, elsewhere: toReaders },
  editBackIssue: { who: publisherStaff, elsewhere: toReaders },
  promoCodes: { who: publisherStaff, elsewhere: toReaders },
  addPromo: { who: publisherStaff, elsewhere: toReaders },
  editPromo: { who: publisherStaff, elsewhere: toReaders },
  scriptKeys: { who: ['publisher', 'pubadmin', 'admin', 'mailer'], elsewhere: landing },
  thirdParty: {
    who: publisherStaff,
    elsewhere: (type: string) => (['superuser', 'reseller'].includes(type) ? '/publishers' : '/readers'),
  },
  webhooks: {
    who: publisherStaff,
    elsewhere: (type: string) => (['superuser', 'reseller'].includes(type) ? '/publishers' : '/readers'),
  },
  webhook: {
    who: publisherStaff,
    elsewhere: (type: string) => (['superuser', 'reseller'].includes(type) ? '/publishers' : '/readers'),
  },
  emailTemplates: { who: publisherStaff, elsewhere: toReaders },
  // A publisher's own sender address.
  sender: { who: publisherStaff, elsewhere: toReaders },
  mailLog: { who: publisherStaff, elsewhere: toReaders },
  loggedMail: { who: publisherStaff, elsewhere: toReaders },
  users: { who: managers, elsewhere: toReaders },
  addUser: { who: managers, elsewhere: toReaders },
  editUser: { who: managers, elsewhere: toReaders },
  publishers: { who: ['superuser', 'reseller'], elsewhere: landing },
  addPublisher: { who: ['superuser', 'reseller'], elsewhere: landing },
  account: { who: everyType, elsewhere: landing },
  readers: { who: ['publisher', 'pubadmin', 'admin', 'mailer'], elsewhere: () => '/publishers' },
  // One search over all titles; the specification has one for each title.
  search: { who: ['publisher', 'pubadmin', 'admin'], elsewhere: toReaders },
  searchReaders: { who: ['publisher', 'pubadmin', 'admin'], elsewhere: toReaders },
  addReader: { who: ['publisher', 'pubadmin', 'admin'], elsewhere: toReaders },
  // A part of the reader forms.
  lookUpAddresses: { who: ['publisher', 'pubadmin', 'admin'], elsewhere: toReaders },
  reader: { who: ['publisher', 'pubadmin', 'admin'], elsewhere: toReaders },
  payments: { who: publisherStaff, elsewhere: toReaders },
  // Parts of the sales ledger that the specification does not have.
  renewals: { who: publisherStaff, elsewhere: toReaders },
  renewalSeries: { who: publisherStaff, elsewhere: toReaders },
  renewalSeriesResults: { who: publisherStaff, elsewhere: toReaders },
  renewalOffers: { who: publisherStaff, elsewhere: toReaders },
  renewalSettings: { who: publisherStaff, elsewhere: toReaders },
  renewalPrices: { who: publisherStaff, elsewhere: toReaders },
  downloadRenewalLetters: { who: publisherStaff, elsewhere: toReaders },
  downloadRenewals: { who: publisherStaff, elsewhere: toReaders },
  schedule: { who: publisherStaff, elsewhere: toReaders },
  opening: { who: publisherStaff, elsewhere: toReaders },
  refundPolicy: { who: publisherStaff, elsewhere: toReaders },
  closeMonths: { who: publisherStaff, elsewhere: toReaders },
  monthlyPack: { who: publisherStaff, elsewhere: toReaders },
  reconcile: { who: publisherStaff, elsewhere: toReaders },
  downloadReconciliation: { who: publisherStaff, elsewhere: toReaders },
  vat: { who: publisherStaff, elsewhere: toReaders },
  vatSettings: { who: publisherStaff, elsewhere: toReaders },
  downloadVat: { who: publisherStaff, elsewhere: toReaders },
  downloadSchedule: { who: publisherStaff, elsewhere: toReaders },
  downloadJournal: { who: publisherStaff, elsewhere: toReaders },
  invoices: { who: publisherStaff, elsewhere: toReaders },
  invoice: { who: publisherStaff, elsewhere: toReaders },
  downloadDebtors: { who: publisherStaff, elsewhere: toReaders },
  newOrder: { who: publisherStaff, elsewhere: toReaders },
  orderDetails: { who: publisherStaff, elsewhere: toReaders },
  manageData: {
    who: publisherStaff,
    elsewhere: (type) => (['superuser', 'reseller'].includes(type) ? '/publishers' : '/readers'),
  },
  // Parts of Manage Data.
  manageDataCounts: {
    who: publisherStaff,
    elsewhere: (type) => (['superuser', 'reseller'].includes(type) ? '/publishers' : '/readers'),
  },
  downloadWarning: { who: publisherStaff, elsewhere: toReaders },
  // Spec 3 names the upload pages without their roles: they have those of Manage Data, which links there.
  upload: {
    who: publisherStaff,
    elsewhere: (type) => (['superuser', 'reseller'].includes(type) ? '/publishers' : '/readers'),
  },
  imports: {
    who: publisherStaff,
    elsewhere: (type) => (['superuser', 'reseller'].includes(type) ? '/publishers' : '/readers'),
  },
  transfers: {
    who: publisherStaff,
    elsewhere: (type) => (['superuser', 'reseller'].includes(type) ? '/publishers' : '/readers'),
  },
  transfer: {
    who: publisherStaff,
    elsewhere: (type) => (['superuser', 'reseller'].includes(type) ? '/publishers' : '/readers'),
  },
  uploadPostcodes: {
    who: publisherStaff,
    elsewhere: (type) => (['superuser', 'reseller'].includes(type) ? '/publishers' : '/readers'),
  },
  downloadRejects: { who: publisherStaff, elsewhere: toReaders },
  downloadBackup: { who: publisherStaff, elsewhere: toReaders },
  likelyDuplicates: {
    who: publisherStaff,
    elsewhere: (type) => (['superuser', 'reseller'].includes(type) ? '/publishers' : '/readers'),
  },
  // Parts of a publication's card.
  changeImage: { who: publisherStaff, elsewhere: toReaders },
  preview: { who: publisherStaff, elsewhere: toReaders },
  // Parts of the reader home's cards.
  downloadMailingFile: { who: ['publisher', 'pubadmin', 'mailer'], elsewhere: toReaders },
  downloadAllReaders: { who: publisherStaff, elsewhere: toReaders },
  // Parts of My Account; the plan is the publisher’s alone.
  plan: { who: ['publisher'], elsewhere: landing },
  planChange: { who: ['publisher'], elsewhere: landing },
  planCard: { who: ['publisher'], elsewhere: landing },
  planStart: { who: ['publisher'], elsewhere: landing },
  planInvoice: { who: ['publisher'], elsewhere: landing },
  twoStep: { who: everyType, elsewhere: landing },
  activity: { who: ['superuser', 'publisher', 'pubadmin'], elsewhere: landing },
  // Requests of the download window.
  mailingFile: { who: ['publisher', 'pubadmin', 'mailer'], elsewhere: toReaders },
  mailingLayouts: { who: publisherStaff, elsewhere: toReaders },
  downloadProgress: { who: everyType, elsewhere: landing },
  // Shown by the landing page; the specification does not say who edits it.
  testimonials: { who: ['superuser'], elsewhere: landing },
  // A paid sign-up without a publisher: a case of the sign-up.
  signUps: { who: ['superuser'], elsewhere: landing },
  // The layout around all screens.
  shell: { who: everyType, elsewhere: landing },
}

describe('the screens behind the log-in', () => {
  it('match the specification', () => {
    expect(Object.keys(screens).sort()).toEqual(Object.keys(specified).sort())
    for (const [name, { who, elsewhere }] of Object.entries(specified)) {
      for (const type of userTypes) {
        const wanted = who.includes(type) ? { isAllowed: true } : { isAllowed: false, elsewhere: elsewhere(type) }
        expect([name, type, screenAccess(name as ScreenName, type)]).toEqual([name, type, wanted])
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
