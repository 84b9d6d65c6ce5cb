import { afterAll } from 'vitest'
import { endFile } from './file-end.ts'
import { skipStatementSourceMaps } from './statement-stacks.ts'

// Vitest runs this before every test file, so its clean-up runs last.
afterAll(endFile)

skipStatementSourceMaps()
