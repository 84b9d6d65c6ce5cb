import { landingPage, type UserType, userTypes } from '#core/access/user-types.ts'

interface Screen {
  /** The users who may open it. */
  types: readonly UserType[]
  /** Where all other users are redirected. */
  elsewhere: (userType: UserType) => string
}

const publisherStaff = ['publisher', 'pubadmin'] as const
const sellers: readonly UserType[] = ['superuser', 'reseller']
const toReaders = () => '/readers'

/** The screens behind the log-in: who may open each, and where it redirects the rest (spec 2 and 3, section 6). */
export const screens = {
  dashboard: { types: publisherStaff, elsewhere: (type) => (sellers.includes(type) ? '/publishers' : '/readers') },
  circulation: { types: publisherStaff, elsewhere: toReaders },
  publications: { types: publisherStaff, elsewhere: toReaders },
  addPublication: { types: publisherStaff, elsewhere: toReaders },
  editPublication: { types: publisherStaff, elsewhere: toReaders },
  preview: { types: publisherStaff, elsewhere: toReaders },
  changeImage: { types: publisherStaff, elsewhere: toReaders },
  backIssues: { types: publisherStaff, elsewhere: () => '/publications' },
  copiesToPost: { types: publisherStaff, elsewhere: toReaders },
  downloadCopiesToPost: { types: publisherStaff, elsewhere: toReaders },
  addBackIssue: { types: publisherStaff, elsewhere: toReaders },
  editBackIssue: { types: publisherStaff, elsewhere: toReaders },
  promoCodes: { types: publisherStaff, elsewhere: toReaders },
  addPromo: { types: publisherStaff, elsewhere: toReaders },
  editPromo: { types: publisherStaff, elsewhere: toReaders },
  emailTemplates: { types: publisherStaff, elsewhere: toReaders },
  scriptKeys: { types: ['publisher', 'pubadmin', 'admin', 'mailer'], elsewhere: landingPage },
  thirdParty: { types: publisherStaff, elsewhere: (type) => (sellers.includes(type) ? '/publishers' : '/readers') },
  sender: { types: publisherStaff, elsewhere: toReaders },
  webhooks: { types: publisherStaff, elsewhere: (type) => (sellers.includes(type) ? '/publishers' : '/readers') },
  webhook: { types: publisherStaff, elsewhere: (type) => (sellers.includes(type) ? '/publishers' : '/readers') },
  mailLog: { types: publisherStaff, elsewhere: toReaders },
  loggedMail: { types: publisherStaff, elsewhere: toReaders },
  users: { types: [...publisherStaff, ...sellers], elsewhere: toReaders },
  addUser: { types: [...publisherStaff, ...sellers], elsewhere: toReaders },
  editUser: { types: [...publisherStaff, ...sellers], elsewhere: toReaders },
  publishers: { types: sellers, elsewhere: landingPage },
  addPublisher: { types: sellers, elsewhere: landingPage },
  account: { types: userTypes, elsewhere: landingPage },
  plan: { types: ['publisher'], elsewhere: landingPage },
  planChange: { types: ['publisher'], elsewhere: landingPage },
  planCard: { types: ['publisher'], elsewhere: landingPage },
  planStart: { types: ['publisher'], elsewhere: landingPage },
  planInvoice: { types: ['publisher'], elsewhere: landingPage },
  twoStep: { types: userTypes, elsewhere: landingPage },
  activity: { types: ['superuser', 'publisher', 'pubadmin'], elsewhere: landingPage },
  readers: { types: ['publisher', 'pubadmin', 'admin', 'mailer'], elsewhere: () => '/publishers' },
  search: { types: ['publisher', 'pubadmin', 'admin'], elsewhere: toReaders },
  searchReaders: { types: ['publisher', 'pubadmin', 'admin'], elsewhere: toReaders },
  addReader: { types: ['publisher', 'pubadmin', 'admin'], elsewhere: toReaders },
  lookUpAddresses: { types: ['publisher', 'pubadmin', 'admin'], elsewhere: toReaders },
  reader: { types: ['publisher', 'pubadmin', 'admin'], elsewhere: toReaders },
  manageData: { types: publisherStaff, elsewhere: (type) => (sellers.includes(type) ? '/publishers' : '/readers') },
  manageDataCounts: {
    types: publisherStaff,
    elsewhere: (type) => (sellers.includes(type) ? '/publishers' : '/readers'),
  },
  likelyDuplicates: {
    types: publisherStaff,
    elsewhere: (type) => (sellers.includes(type) ? '/publishers' : '/readers'),
  },
  upload: { types: publisherStaff, elsewhere: (type) => (sellers.includes(type) ? '/publishers' : '/readers') },
  imports: { types: publisherStaff, elsewhere: (type) => (sellers.includes(type) ? '/publishers' : '/readers') },
  transfers: { types: publisherStaff, elsewhere: (type) => (sellers.includes(type) ? '/publishers' : '/readers') },
  transfer: { types: publisherStaff, elsewhere: (type) => (sellers.includes(type) ? '/publishers' : '/readers') },
  uploadPostcodes: {
    types: publisherStaff,
    elsewhere: (type) => (sellers.includes(type) ? '/publishers' : '/readers'),
  },
  renewals: { types: publisherStaff, elsewhere: toReaders },
  renewalSeries: { types: publisherStaff, elsewhere: toReaders },
  renewalSeriesResults: { types: publisherStaff, elsewhere: toReaders },
  renewalOffers: { types: publisherStaff, elsewhere: toReaders },
  renewalSettings: { types: publisherStaff, elsewhere: toReaders },
  renewalPrices: { types: publisherStaff, elsewhere: toReaders },
  downloadRenewalLetters: { types: publisherStaff, elsewhere: toReaders },
  downloadRenewals: { types: publisherStaff, elsewhere: toReaders },
  payments: { types: publisherStaff, elsewhere: toReaders },
  schedule: { types: publisherStaff, elsewhere: toReaders },
  opening: { types: publisherStaff, elsewhere: toReaders },
  refundPolicy: { types: publisherStaff, elsewhere: toReaders },
  closeMonths: { types: publisherStaff, elsewhere: toReaders },
  monthlyPack: { types: publisherStaff, elsewhere: toReaders },
  reconcile: { types: publisherStaff, elsewhere: toReaders },
  downloadReconciliation: { types: publisherStaff, elsewhere: toReaders },
  vat: { types: publisherStaff, elsewhere: toReaders },
  vatSettings: { types: publisherStaff, elsewhere: toReaders },
  downloadVat: { types: publisherStaff, elsewhere: toReaders },
  downloadSchedule: { types: publisherStaff, elsewhere: toReaders },
  downloadJournal: { types: publisherStaff, elsewhere: toReaders },
  invoices: { types: publisherStaff, elsewhere: toReaders },
  invoice: { types: publisherStaff, elsewhere: toReaders },
  downloadDebtors: { types: publisherStaff, elsewhere: toReaders },
  newOrder: { types: publisherStaff, elsewhere: toReaders },
  orderDetails: { types: publisherStaff, elsewhere: toReaders },
  downloadMailingFile: { types: ['publisher', 'pubadmin', 'mailer'], elsewhere: toReaders },
  downloadCirculation: { types: publisherStaff, elsewhere: toReaders },
  downloadWarning: { types: publisherStaff, elsewhere: toReaders },
  downloadRejects: { types: publisherStaff, elsewhere: toReaders },
  downloadBackup: { types: publisherStaff, elsewhere: toReaders },
  downloadAllReaders: { types: publisherStaff, elsewhere: toReaders },
  mailingFile: { types: ['publisher', 'pubadmin', 'mailer'], elsewhere: toReaders },
  mailingLayouts: { types: publisherStaff, elsewhere: toReaders },
  downloadProgress: { types: userTypes, elsewhere: landingPage },
  testimonials: { types: ['superuser'], elsewhere: landingPage },
  signUps: { types: ['superuser'], elsewhere: landingPage },
  /** The frame around all of them. */
  shell: { types: userTypes, elsewhere: landingPage },
} as const satisfies Record<string, Screen>

export type ScreenName = keyof typeof screens

export function screenAccess(
  name: ScreenName,
  userType: UserType,
): { isAllowed: true } | { isAllowed: false; elsewhere: string } {
  const screen: Screen = screens[name]
  return screen.types.includes(userType)
    ? { isAllowed: true }
    : { isAllowed: false, elsewhere: screen.elsewhere(userType) }
}
