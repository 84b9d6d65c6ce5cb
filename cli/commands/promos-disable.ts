import { Command } from 'commander'
import { countOf, nearest } from '#core/kernel/words.ts'
import type { PromoListItem } from '#core/promos/list-promos.query.ts'
import { confirm, pick } from '../ask.ts'
import { CliError, interrupted, wrongUse } from '../cli-error.ts'
import { action, type Cli, flags } from '../command.ts'
import { describe } from '../help.ts'
import type { Talk } from '../talk.ts'

interface DisableFlags {
  publication?: string
  code?: string
  yes?: boolean
  dryRun?: boolean
}

export function promosDisableCommand(cli: Cli): Command {
  return describe(new Command('disable'), {
    summary: 'Delete a promo code: it works no more',
    details: 'Orders that used it keep it, and its word is free again. This cannot be undone.',
    examples: [
      ['one code', 'subscriptions promos disable SPRING25 --publication gardener'],
      ['without a question', 'subscriptions promos disable SPRING25 --publication gardener --yes'],
      ['see what that would mean', 'subscriptions promos disable SPRING25 --publication gardener --dry-run'],
    ],
    exits: ['missing'],
  })
    .argument('[code]', 'the code, in any case')
    .option(...flags.publication)
    .option('--code <code>', 'the code, by a flag')
    .option(...flags.yes)
    .option(...flags.dryRun)
    .action(
      action<DisableFlags>(cli, async ({ as, publication, code, yes, dryRun = false }, [argument]) => {
        const { talk } = cli
        const wanted = argument ?? code
        if (argument !== undefined && code !== undefined) throw wrongUse('the code is named twice', 'leave out --code')
        if (wanted === undefined && !talk.canAsk()) throw wrongUse('which promo code?', 'name it: --code <code>')
        const [{ withSession }, { choosePublication, requireHandle }, { listPromos }, { deletePromo }, { rehearse }] =
          await Promise.all([
            import('../session.ts'),
            import('../choose-publication.ts'),
            import('#core/promos/list-promos.query.ts'),
            import('#core/promos/delete-promo.ts'),
            import('../rehearse.ts'),
          ])
        requireHandle(talk, publication)
        return withSession(talk, { as }, async (session) => {
          const { ctx } = session
          const urlKey = await choosePublication(talk, session, publication)
          const { promos } = await listPromos(ctx, { urlKey })
          const promo = await promoNamed(talk, promos, wanted, urlKey)
          const what = `${promo.code} of ${urlKey} (used ${countOf(promo.used, 'time')})`
          if (!dryRun && !(await confirm(talk, `Delete ${what}? This cannot be undone.`, yes)))
            throw interrupted('Nothing was changed')
          await rehearse(ctx, dryRun, () => deletePromo(ctx, { id: promo.id }))
          if (talk.flags.json) await talk.json({ dryRun, id: promo.id, code: promo.code, used: promo.used })
          else await talk.print(dryRun ? `Would delete ${what}` : `${talk.out.done} Deleted ${what}`)
          return 0
        })
      }),
    )
}

async function promoNamed(
  talk: Talk,
  promos: readonly PromoListItem[],
  wanted: string | undefined,
  urlKey: string,
): Promise<PromoListItem> {
  const list = `see the codes: subscriptions promos list --publication ${urlKey}`
  if (promos.length === 0) throw new CliError('notFound', 'missing', `${urlKey} has no promo codes`, list)
  const code =
    wanted ??
    (await pick(
      talk,
      'Which promo code?',
      promos.map((promo) => ({ name: `${promo.code} (${promo.name}, ${promo.status})`, value: promo.code })),
    ))
  const found = promos.find((promo) => promo.code.toUpperCase() === code.trim().toUpperCase())
  if (found) return found
  const near = nearest(
    code,
    promos.map((promo) => promo.code),
  )
  throw new CliError(
    'notFound',
    'missing',
    `The promo code "${code}" was not found`,
    near ? `did you mean "${near}"? All codes: subscriptions promos list --publication ${urlKey}` : list,
  )
}
