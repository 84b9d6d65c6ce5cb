import { Command } from 'commander'
import { usageError } from '../cli-error.ts'
import { action, type Cli } from '../command.ts'
import { completionScript, isShell, shells } from '../completion-scripts.ts'
import { describe } from '../help.ts'

export function completionCommand(cli: Cli): Command {
  const command = describe(new Command('completion'), {
    summary: 'Print a completion script for your shell',
    usage: '<shell>',
    details: 'Completes commands, flags, their fixed values and the handles of your publications.',
    examples: [
      ['bash, for this and later sessions', "echo 'source <(subscriptions completion bash)' >> ~/.bashrc"],
      ['zsh, into a folder of $fpath', 'subscriptions completion zsh > ~/.zsh/completions/_subscriptions'],
      ['fish', 'subscriptions completion fish > ~/.config/fish/completions/subscriptions.fish'],
      ['PowerShell', 'subscriptions completion powershell >> $PROFILE'],
    ],
  })
  return command.argument('[shell]', shells.join(', ')).action(
    action(cli, async ({ as }, [shell]) => {
      // Called by the completion scripts to complete a handle. Prints nothing when there is no database.
      if (shell === 'handles') return printHandles(cli, as)
      if (shell === undefined)
        throw usageError('no shell given', `one of ${shells.join(', ')}: subscriptions completion bash`)
      if (!isShell(shell)) throw usageError(`"${shell}" is not a supported shell`, `one of ${shells.join(', ')}`)
      await cli.cliOutput.print(completionScript(shell, command.parent ?? command))
      return 0
    }),
  )
}

async function printHandles({ cliOutput }: Cli, as: string | undefined): Promise<number> {
  const [{ withSession }, { listHandles }] = await Promise.all([
    import('../session.ts'),
    import('#core/publications/list-handles.query.ts'),
  ])
  const handles = await withSession(cliOutput, { as }, ({ ctx }) => listHandles(ctx, {})).catch(() => [])
  for (const { urlKey } of handles) await cliOutput.print(urlKey)
  return 0
}
