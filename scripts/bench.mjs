// npm run bench [-- name [flags]]: runs all benchmarks, or those in tests/load whose file name begins like this, such as
// storefront, and prints Markdown tables; there are no pass/fail thresholds.
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
