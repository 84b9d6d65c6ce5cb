// Installs the locked packages where they are missing: what `npm start` and `npm test` begin with.
import { checkNode, ensureInstalled } from './project.mjs'

checkNode()
await ensureInstalled()
