import { z } from 'zod'
import { useCase } from '../use-case.ts'

export const sendAccountNotice = useCase({
  permission: 'machine:operate',
  input: z.object({ userId: z.number().int(), key: z.string() }),
  transaction: 'none',
  async run(): Promise<boolean> {
    throw new Error('not yet')
  },
})
