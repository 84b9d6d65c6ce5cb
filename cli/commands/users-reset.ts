import { Command } from 'commander'
import { CliError, interrupted, usageError } from '../cli-error.ts'
import { action, type Cli, flags } from '../command.ts'
import { withFlagErrors } from '../field-flags.ts'
import { describe } from '../help.ts'
import { passwordFlags, passwordFromStdin } from '../new-person.ts'
import { confirm, promptNewPassword } from '../prompt.ts'
import { requireUser, userNamed } from '../require-user.ts'

interface PasswordResetFlags {
  passwordStdin?: boolean
  prompt?: boolean
  dryRun?: boolean
}

export function resetPasswordCommand(cli: Cli): Command {
  return describe(new Command('reset-password'), {
    summary: 'Email a link to choose a new password, or set one',
    details:
      'The link is valid for an hour and works once. Setting a password here ends every session of\n' +
      'the user, who is notified by email.',
    examples: [
      ['email a link', 'subscriptions users reset-password ann@example.com'],
      ['type the new one here', 'subscriptions users reset-password ann@example.com --prompt'],
      ['from a file', 'subscriptions users reset-password ann@example.com --password-stdin < secret'],
    ],
    exits: ['missing'],
  })
    .argument('[email]', 'the email of the user')
    .option('--prompt', 'ask for the new password here, without echo, and set it')
    .option(...passwordFlags.passwordStdin)
    .option(...flags.dryRun)
    .action(
      action<PasswordResetFlags>(cli, async ({ as, passwordStdin, prompt, dryRun = false }, [email]) => {
        const { cliOutput } = cli
        if (prompt && passwordStdin)
          throw usageError('--prompt and --password-stdin cannot be combined', 'leave one out')
        if (prompt && !cliOutput.canPrompt())
          throw usageError('--prompt needs a terminal', 'pipe the password in with --password-stdin')
        requireUser(cliOutput, email)
        const [{ withSession }, { requestReset }, { setUserPassword }, { withDryRun }] = await Promise.all([
          import('../session.ts'),
          import('#core/users/request-reset.ts'),
          import('#core/users/set-user-password.ts'),
          import('../with-dry-run.ts'),
        ])
        return withSession(cliOutput, { as }, async ({ ctx }) => {
          const user = await userNamed(cliOutput, ctx, email)
          const isSetHere = Boolean(prompt || passwordStdin)
          if (isSetHere) {
            const password = passwordStdin
              ? await passwordFromStdin(cliOutput)
              : await promptNewPassword(cliOutput, 'New password')
            await withFlagErrors({ password: 'the password' }, 'subscriptions users reset-password', () =>
              withDryRun(ctx, dryRun, () => setUserPassword(ctx, { email: user.email, password })),
            )
          } else {
            const { isKnown } = await withDryRun(ctx, dryRun, () => requestReset(ctx, { email: user.email }))
            if (!isKnown) throw deactivatedError(user.email)
          }
          if (cliOutput.flags.json)
            await cliOutput.json({ dryRun, email: user.email, done: isSetHere ? 'set' : 'mailed' })
          else {
            const doneText = isSetHere ? 'Set a new password for' : 'Queued a password link for'
            const dryRunText = isSetHere ? 'Would set a new password for' : 'Would email a link to'
            await cliOutput.confirm(
              dryRun ? `${dryRunText} ${user.email}` : `${cliOutput.out.done} ${doneText} ${user.email}`,
            )
            if (!dryRun && !isSetHere) cliOutput.say('A running worker sends it. Next: subscriptions jobs list')
          }
          return 0
        })
      }),
    )
}

function deactivatedError(email: string): CliError {
  return new CliError(
    'deactivated',
    'missing',
    `${email} is deactivated, or its publisher is: no link was sent`,
    `reactivate them first: subscriptions users reactivate ${email}`,
  )
}

export function resetTwoStepCommand(cli: Cli): Command {
  return describe(new Command('reset-two-step'), {
    summary: 'Turn off two-step log-in for a user who has lost their device',
    details: 'Verify the identity of the user first. Every session ends and the user is notified by email.',
    examples: [
      ['after a lost phone', 'subscriptions users reset-two-step ann@example.com'],
      ['without the confirmation prompt', 'subscriptions users reset-two-step ann@example.com --yes'],
      ['see whether it is on', 'subscriptions users reset-two-step ann@example.com --dry-run'],
    ],
    exits: ['missing', 'conflict'],
  })
    .argument('[email]', 'the email of the user')
    .option(...flags.yes)
    .option(...flags.dryRun)
    .action(
      action<{ yes?: boolean; dryRun?: boolean }>(cli, async ({ as, yes, dryRun = false }, [email]) => {
        const { cliOutput } = cli
        requireUser(cliOutput, email)
        const [{ withSession }, { resetTwoStep }, { withDryRun }] = await Promise.all([
          import('../session.ts'),
          import('#core/users/reset-two-step.ts'),
          import('../with-dry-run.ts'),
        ])
        return withSession(cliOutput, { as }, async ({ ctx }) => {
          const user = await userNamed(cliOutput, ctx, email)
          const mustConfirm = user.hasTwoStep && !dryRun
          if (mustConfirm && !(await confirm(cliOutput, `Turn two-step log-in off for ${user.email}?`, yes)))
            throw interrupted('Nothing was changed')
          await withDryRun(ctx, dryRun, () => resetTwoStep(ctx, { id: user.id }))
          if (cliOutput.flags.json) await cliOutput.json({ dryRun, email: user.email, hasTwoStep: dryRun })
          else if (dryRun) await cliOutput.confirm(`Would turn two-step log-in off for ${user.email}`)
          else {
            await cliOutput.confirm(`${cliOutput.out.done} Turned two-step log-in off for ${user.email}`)
            cliOutput.say('They log in with the password alone, and can set it up again in My Account')
          }
          return 0
        })
      }),
    )
}
