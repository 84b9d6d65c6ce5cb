import { afterAll } from 'vitest'
import { endFile } from './file-end.ts'
import { leaveStatementStacks } from './statement-stacks.ts'

// Vitest runs this in front of every file of tests, so that it is the last that is heard of it.
afterAll(endFile)

leaveStatementStacks()
