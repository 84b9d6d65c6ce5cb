import { checkNode, ensureBuilt, ensureInstalled } from './project.mjs'

checkNode()
await ensureInstalled()
await ensureBuilt({ force: true }).catch((error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
