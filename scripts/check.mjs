// npm run check: formatting and lint, types, import rules, the API document, unused code. All checks run; any failure makes the command fail.
import { checkNode, ensureInstalled, say, tool } from './project.mjs'

checkNode()
await ensureInstalled()

const checks = [
  ['Format and lint (biome)', '@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', '.'],
  // Version 7, the compiler as a native program, takes a third of the processor time of version 5, which Remix and dependency-cruiser require.
  // Results for unchanged files are cached in node_modules/.cache.
  [
    'Types (tsc)',
    'typescript-7/bin/tsc',
    '--noEmit',
    '--incremental',
    '--tsBuildInfoFile',
    'node_modules/.cache/types.tsbuildinfo',
  ],
  [
    'Import rules (dependency-cruiser)',
    'dependency-cruiser/bin/dependency-cruise.mjs',
    '--config',
    '.dependency-cruiser.cjs',
    'core',
    'web',
    'cli',
    'worker',
    'tests',
    'scripts',
    'serve.ts',
    'serve-role.ts',
  ],
  ['API document (redocly)', 'tsx/dist/cli.mjs', 'scripts/lint-api.ts'],
  ['Unused code (knip)', 'knip/bin/knip.js', '--no-progress'],
  [
    'Code that only tests use (knip)',
    'knip/bin/knip.js',
    '--no-progress',
    '--production',
    '--config',
    'knip.production.jsonc',
  ],
]
// In parallel: each mostly uses one core.
const results = await Promise.all(
  checks.map(async ([name, path, ...args]) => ({ name, ...(await tool(path, ...args)) })),
)
for (const { name, printed } of results) process.stderr.write(`- ${name}\n${printed}`)
const failed = results.flatMap(({ name, code }) => (code === 0 ? [] : [name]))
if (failed.length > 0) {
  say(`Failed: ${failed.join(', ')}`)
  process.exit(1)
}
