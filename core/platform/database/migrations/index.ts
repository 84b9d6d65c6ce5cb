import { people } from './001-people.ts'
import { catalogue } from './002-catalogue.ts'
import { readerKeyIndexes, readers } from './003-readers.ts'
import { sales } from './004-sales.ts'
import { staff } from './005-staff.ts'
import { catalogueWork } from './006-catalogue-work.ts'
import { checkout } from './007-checkout.ts'
import { visitors } from './008-visitors.ts'
import { likelyDuplicates } from './009-likely-duplicates.ts'
import { readerEditions } from './010-reader-editions.ts'
import { imports } from './011-imports.ts'
import { uploads } from './012-uploads.ts'
import { dataQuality } from './013-data-quality.ts'
import { mailingLayouts } from './014-mailing-layouts.ts'
import { readerEdits } from './015-reader-edits.ts'
import { downloads } from './016-downloads.ts'
import { listPages } from './017-list-pages.ts'
import { lastDay } from './018-last-day.ts'
import { tasks } from './019-tasks.ts'
import { mergeTasks } from './027-merge-tasks.ts'
import { searchAndFixTasks } from './028-search-and-fix-tasks.ts'
import { importTasks } from './029-import-tasks.ts'
import { readerBuyers } from './030-reader-buyers.ts'
import { uploadRequest } from './031-upload-request.ts'
import { rowProblems } from './038-row-problems.ts'
import { buyerLanguages } from './039-languages.ts'
import { ledgerCauses } from './040-ledger-causes.ts'
import { refunds } from './041-refunds.ts'
import { circulationTerms } from './042-circulation-terms.ts'
import { journalAccounts } from './044-journal-accounts.ts'
import { monthClose } from './045-month-close.ts'
import { vat } from './047-vat.ts'
import { staffOrders } from './049-staff-orders.ts'
import { invoices } from './050-invoices.ts'
import { renewals } from './051-renewals.ts'
import { ledgerDays } from './052-ledger-days.ts'
import { ledgerPages } from './053-ledger-pages.ts'
import { reconciliation } from './054-reconciliation.ts'
import { orderSums } from './055-order-sums.ts'
import { ledgerNames } from './056-ledger-names.ts'
import { ledgerVatDays } from './057-ledger-vat-days.ts'
import { orderOrigins } from './057-order-origins.ts'
import { readerTerms } from './057-reader-terms.ts'
import { openingBalances } from './058-opening-balances.ts'
import { refundPolicies } from './059-refund-policies.ts'
import { trafficSources } from './062-traffic-sources.ts'
import { agreementRenewals } from './063-renewals.ts'
import { dunning } from './066-dunning.ts'

const keyIndexes = Object.entries(readerKeyIndexes)
  .map(([name, on]) => `CREATE INDEX ${name} ON ${on};\n`)
  .join('')

/** Every migration, in order. A migration that has been released is never edited: write the next one. */
export const migrations: readonly { name: string; text: string }[] = [
  { name: '001-people', text: people },
  { name: '002-catalogue', text: catalogue },
  { name: '003-readers', text: readers + keyIndexes },
  { name: '004-sales', text: sales },
  { name: '005-staff', text: staff },
  { name: '006-catalogue-work', text: catalogueWork },
  { name: '007-checkout', text: checkout },
  { name: '008-visitors', text: visitors },
  { name: '009-likely-duplicates', text: likelyDuplicates },
  { name: '010-reader-editions', text: readerEditions },
  { name: '011-imports', text: imports },
  { name: '012-uploads', text: uploads },
  { name: '013-data-quality', text: dataQuality },
  { name: '014-mailing-layouts', text: mailingLayouts },
  { name: '015-reader-edits', text: readerEdits },
  { name: '016-downloads', text: downloads },
  { name: '017-list-pages', text: listPages },
  { name: '018-last-day', text: lastDay },
  { name: '019-tasks', text: tasks },
  { name: '027-merge-tasks', text: mergeTasks },
  { name: '028-search-and-fix-tasks', text: searchAndFixTasks },
  { name: '029-import-tasks', text: importTasks },
  { name: '030-reader-buyers', text: readerBuyers },
  { name: '031-upload-request', text: uploadRequest },
  { name: '038-row-problems', text: rowProblems },
  { name: '039-languages', text: buyerLanguages },
  { name: '040-ledger-causes', text: ledgerCauses },
  { name: '041-refunds', text: refunds },
  { name: '042-circulation-terms', text: circulationTerms },
  { name: '044-journal-accounts', text: journalAccounts },
  { name: '045-month-close', text: monthClose },
  { name: '047-vat', text: vat },
  { name: '049-staff-orders', text: staffOrders },
  { name: '050-invoices', text: invoices },
  { name: '051-renewals', text: renewals },
  { name: '052-ledger-days', text: ledgerDays },
  { name: '053-ledger-pages', text: ledgerPages },
  { name: '054-reconciliation', text: reconciliation },
  { name: '055-order-sums', text: orderSums },
  { name: '057-ledger-vat-days', text: ledgerVatDays },
  { name: '057-reader-terms', text: readerTerms },
  { name: '057-order-origins', text: orderOrigins },
  { name: '058-opening-balances', text: openingBalances },
  { name: '059-refund-policies', text: refundPolicies },
  { name: '062-traffic-sources', text: trafficSources },
  { name: '063-renewals', text: agreementRenewals },
  { name: '056-ledger-names', text: ledgerNames },
  { name: '066-dunning', text: dunning },
]
