import { formatMinorUnits } from '#core/kernel/money.ts'
import { publisherOf } from '../as-publisher.ts'
import { usageError } from '../cli-error.ts'
import type { Cli } from '../command.ts'
import type { Column } from '../table.ts'

export interface LedgerFlags {
  publisher?: string
  publication?: string
}

export const publisherFlag = ['--publisher <email>', 'whose ledger, by the email of the publisher'] as const

export const amountColumn = <Row>(header: string, amountOf: (row: Row) => number): Column<Row> => ({
  header,
  show: (row) => formatMinorUnits(amountOf(row)),
  align: 'right',
})

/** Runs `work` as the publisher that --publisher or --as names: the operator has no ledger. */
export async function withLedgerSession(
  cli: Cli,
  { as, publisher, publication }: LedgerFlags & { as?: string },
  work: (session: {
    ctx: import('#core/context.ts').AppContext
    publicationId: number | undefined
  }) => Promise<unknown>,
): Promise<number> {
  const who = publisherOf({ as, publisher })
  if (who === undefined) throw usageError('no publisher given', 'specify it: --publisher <email>')
  const [{ withSession }, { choosePublication }, { ownPublication }] = await Promise.all([
    import('../session.ts'),
    import('../choose-publication.ts'),
    import('#core/publications/own-publication.ts'),
  ])
  await withSession(cli.cliOutput, { as: who }, async (session) => {
    const { ctx } = session
    if (publication === undefined) return work({ ctx, publicationId: undefined })
    // The sales of a removed title are still in the ledger.
    const withRemoved = true
    const urlKey = await choosePublication(cli.cliOutput, session, publication, { withRemoved })
    return work({ ctx, publicationId: (await ownPublication(ctx, { urlKey }, { withRemoved })).id })
  })
  return 0
}
