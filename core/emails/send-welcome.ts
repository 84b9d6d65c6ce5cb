import { z } from 'zod'
import { useCase } from '../use-case.ts'

export const sendWelcome = useCase({
  permission: 'machine:operate',
  input: z.object({ userId: z.number().int() }),
  transaction: 'none',
  async run(): Promise<boolean> {
    throw new Error('not yet')
  },
})
