import { z } from 'zod'
import { useCase } from '../use-case.ts'

/** The highest id any publication has; 0 if there are none. Determines how many files the sitemap has. */
export const maxPublicationId = useCase({
  permission: 'public',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<number> {
    const [row] = await ctx.db.query<{ newest: number | null }>(`SELECT MAX(id) AS newest FROM publications`)
    return Number(row?.newest ?? 0)
  },
})
