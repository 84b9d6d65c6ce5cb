import { Command, Option } from 'commander'
import { type UserType, userTypeNames, userTypes } from '#core/access/user-types.ts'
import { addableTypes, isStaffType } from '#core/users/user-rights.rules.ts'
import { labelled } from '../cli-output.ts'
import { action, type Cli, flags } from '../command.ts'
import { withFlagErrors } from '../field-flags.ts'
import { describe } from '../help.ts'
import {
  answersTo,
  type PasswordFlags,
  passwordFlags,
  type Question,
  readInitialPassword,
  requireFlags,
} from '../new-person.ts'
import { pick, promptText } from '../prompt.ts'
import { printable } from '../style.ts'

interface AddFlags extends PasswordFlags {
  email?: string
  firstName?: string
  lastName?: string
  type?: UserType
  publisher?: string
  company?: string
  dryRun?: boolean
}

const flagOf = {
  email: '--email',
  firstName: '--first-name',
  lastName: '--last-name',
  userType: '--type',
  companyName: '--company',
  publisherId: '--publisher',
  password: 'the password',
}

export function usersAddCommand(cli: Cli): Command {
  return describe(new Command('add'), {
    summary: 'Add a staff user',
    details:
      'On a terminal it asks for missing values. The password is typed without echo, read from\n' +
      'stdin, or chosen by the user after an invitation; there is no flag for it.',
    examples: [
      ['interactively', 'subscriptions users add'],
      [
        'from a script, with an invitation',
        'subscriptions users add --type mailer --publisher p@example.com --invite \\\n    --email ann@example.com --first-name Ann --last-name Lee',
      ],
      [
        'with a password from a file',
        'subscriptions users add --type superuser --email s@example.com \\\n    --first-name Sue --last-name Per --password-stdin < secret',
      ],
    ],
    exits: ['missing', 'conflict'],
  })
    .option('--email <email>', 'the email that the user logs in with')
    .option('--first-name <name>', 'the first name')
    .option('--last-name <name>', 'the last name')
    .addOption(new Option('--type <type>', 'the type of user').choices(userTypes))
    .option('--publisher <email>', "for a publisher's staff: the publisher, by its email")
    .option('--company <name>', 'the company, for users who have one')
    .option(...passwordFlags.passwordStdin)
    .option(...passwordFlags.invite)
    .option(...flags.dryRun)
    .action(action<AddFlags>(cli, (options) => addOne(cli, options)))
}

async function addOne(cli: Cli, options: AddFlags & { as?: string }): Promise<number> {
  const { cliOutput } = cli
  const { dryRun = false } = options
  const questions = [
    { name: 'email', flag: '--email', question: 'Email', value: options.email },
    { name: 'firstName', flag: '--first-name', question: 'First name', value: options.firstName },
    { name: 'lastName', flag: '--last-name', question: 'Last name', value: options.lastName },
  ]
  requireFlags(cliOutput, [{ flag: '--type', value: options.type }, ...questions], options)
  const [{ withSession }, { addUser }, { findUser }, { withDryRun }] = await Promise.all([
    import('../session.ts'),
    import('#core/users/add-user.ts'),
    import('#core/users/find-user.query.ts'),
    import('../with-dry-run.ts'),
  ])
  return withSession(cliOutput, options, async ({ ctx }) => {
    const userType = options.type ?? (await pickType(cli, addableTypes(ctx.actor, userTypes)))
    const hasOwnPublisher = ctx.actor.kind === 'staff' && ctx.actor.publisherId !== null
    const needsPublisher = isStaffType(userType) && !hasOwnPublisher
    if (needsPublisher) requireFlags(cliOutput, [{ flag: '--publisher', value: options.publisher }])
    const answers = await answersTo(cliOutput, [...questions, ...companyQuestion(cli, userType, options)])
    const publisher =
      options.publisher ?? (needsPublisher ? await promptText(cliOutput, "The publisher's email") : undefined)
    const publisherId = publisher && (await findUser(ctx, { email: publisher, userType: 'publisher' })).id
    const password = await readInitialPassword(cliOutput, options)
    const input = { ...answers, ...password, userType, ...(publisherId && { publisherId }) }
    const { id, isInvited } = await withFlagErrors(flagOf, 'subscriptions users add', () =>
      withDryRun(ctx, dryRun, () => addUser(ctx, input)),
    )
    if (cliOutput.flags.json) {
      await cliOutput.json({ dryRun, id: dryRun ? null : id, email: answers.email, userType, isInvited })
      return 0
    }
    const name = printable(`${answers.firstName} ${answers.lastName}`)
    await cliOutput.confirm(dryRun ? `Would add ${name}` : `${cliOutput.out.done} Added ${name}`)
    await cliOutput.confirm(
      labelled([
        ['Email', answers.email],
        ['Type', userTypeNames[userType]],
        ['Publisher', publisher],
        ['Log-in', isInvited ? 'an invitation is sent to this email' : 'with the password that was given'],
        ['ID', dryRun ? null : id],
      ]),
    )
    if (!dryRun) cliOutput.say(`Next: subscriptions users list${userType === 'superuser' ? ' --type superuser' : ''}`)
    return 0
  })
}

/** Publishers and resellers are asked for their company on a terminal; in a script it is optional. */
function companyQuestion({ cliOutput }: Cli, userType: UserType, { company }: AddFlags): Question[] {
  const shouldPrompt =
    company !== undefined || (cliOutput.canPrompt() && (userType === 'publisher' || userType === 'reseller'))
  return shouldPrompt ? [{ name: 'companyName', flag: '--company', question: 'Company', value: company }] : []
}

async function pickType({ cliOutput }: Cli, types: readonly UserType[]): Promise<UserType> {
  const chosen = await pick(
    cliOutput,
    'What may the user do?',
    types.map((type) => ({ name: `${userTypeNames[type]} (${type})`, value: type })),
  )
  return chosen as UserType
}
