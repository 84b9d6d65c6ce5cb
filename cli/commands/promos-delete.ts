import { Command } from 'commander'
import { countOf, nearest } from '#core/kernel/text-format.ts'
import type { PromoListItem } from '#core/promos/list-promos.query.ts'
import { CliError, interrupted, usageError } from '../cli-error.ts'
import type { CliOutput } from '../cli-output.ts'
import { action, type Cli, flags } from '../command.ts'
import { describe } from '../help.ts'
import { confirm, pick } from '../prompt.ts'

interface DeleteFlags {
  publication?: string
  code?: string
  yes?: boolean
  dryRun?: boolean
}

export function promosDeleteCommand(cli: Cli): Command {
  // The former name, for scripts: help and completion do not show it.
  return describe(new Command('delete').alias('disable'), {
    summary: 'Delete a promo code',
    details:
      'The code stops working and can be reused for a new promo code. Orders that used it keep it.\nThis cannot be undone.',
    examples: [
      ['one code', 'subscriptions promos delete SPRING25 --publication gardener'],
      ['without confirming', 'subscriptions promos delete SPRING25 --publication gardener --yes'],
      ['see what would change', 'subscriptions promos delete SPRING25 --publication gardener --dry-run'],
    ],
    exits: ['missing'],
  })
    .argument('[code]', 'the code, in upper or lower case')
    .option(...flags.publication)
    .option('--code <code>', 'the code, as a flag')
    .option(...flags.yes)
    .option(...flags.dryRun)
    .action(
      action<DeleteFlags>(cli, async ({ as, publication, code, yes, dryRun = false }, [argument]) => {
        const { cliOutput } = cli
        const codeName = argument ?? code
        if (argument !== undefined && code !== undefined)
          throw usageError('the code is given twice', 'leave out --code')
        if (codeName === undefined && !cliOutput.canPrompt())
          throw usageError('no promo code given', 'specify it: --code <code>')
        const [{ withSession }, { choosePublication, requireHandle }, { listPromos }, { deletePromo }, { withDryRun }] =
          await Promise.all([
            import('../session.ts'),
            import('../choose-publication.ts'),
            import('#core/promos/list-promos.query.ts'),
            import('#core/promos/delete-promo.ts'),
            import('../with-dry-run.ts'),
          ])
        requireHandle(cliOutput, publication)
        return withSession(cliOutput, { as }, async (session) => {
          const { ctx } = session
          const urlKey = await choosePublication(cliOutput, session, publication)
          const { promos } = await listPromos(ctx, { urlKey })
          const promo = await promoNamed(cliOutput, promos, codeName, urlKey)
          const what = `${promo.code} of ${urlKey} (used ${countOf(promo.used, 'time')})`
          if (!dryRun && !(await confirm(cliOutput, `Delete ${what}? This cannot be undone.`, yes)))
            throw interrupted('Nothing was changed')
          await withDryRun(ctx, dryRun, () => deletePromo(ctx, { id: promo.id }))
          if (cliOutput.flags.json) await cliOutput.json({ dryRun, id: promo.id, code: promo.code, used: promo.used })
          else await cliOutput.confirm(dryRun ? `Would delete ${what}` : `${cliOutput.out.done} Deleted ${what}`)
          return 0
        })
      }),
    )
}

async function promoNamed(
  cliOutput: CliOutput,
  promos: readonly PromoListItem[],
  codeName: string | undefined,
  urlKey: string,
): Promise<PromoListItem> {
  const listHint = `see the codes: subscriptions promos list --publication ${urlKey}`
  if (promos.length === 0) throw new CliError('notFound', 'missing', `${urlKey} has no promo codes`, listHint)
  const code =
    codeName ??
    (await pick(
      cliOutput,
      'Which promo code?',
      promos.map((promo) => ({ name: `${promo.code} (${promo.name}, ${promo.status})`, value: promo.code })),
    ))
  const match = promos.find((promo) => promo.code.toUpperCase() === code.trim().toUpperCase())
  if (match) return match
  const near = nearest(
    code,
    promos.map((promo) => promo.code),
  )
  throw new CliError(
    'notFound',
    'missing',
    `The promo code "${code}" was not found`,
    near ? `did you mean "${near}"? All codes: subscriptions promos list --publication ${urlKey}` : listHint,
  )
}
