// npm run bench [-- reader-files|likely|manage-data|names|during-import|storefront|checkout|pages|people|command-line|circulation|ledger|renewals-plan|charging|emails|partners|webhooks]: runs the benchmarks and prints Markdown tables; there are no pass/fail thresholds.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { checkNode, ensureBuilt, ensureInstalled, root, run } from './project.mjs'

checkNode()
await ensureInstalled()
await ensureBuilt()

const [prefix, ...args] = process.argv.slice(2)
const benches = readdirSync(join(root, 'tests/load'))
  .filter((file) => file.endsWith('.bench.ts') && (!prefix || file.startsWith(prefix)))
  .sort()
for (const bench of benches) {
  const code = await run(process.execPath, ['--import', 'tsx', join('tests/load', bench), ...args])
  if (code !== 0) process.exitCode = 1
}
