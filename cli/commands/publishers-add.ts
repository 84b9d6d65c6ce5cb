import { Command, Option } from 'commander'
import { labelled } from '../cli-output.ts'
import { action, type Cli, flags } from '../command.ts'
import { withFlagErrors } from '../field-flags.ts'
import { describe } from '../help.ts'
import { answersTo, type PasswordFlags, passwordFlags, readInitialPassword, requireFlags } from '../new-person.ts'
import { printable } from '../style.ts'

interface AddFlags extends PasswordFlags {
  type: 'publisher' | 'reseller'
  company?: string
  email?: string
  firstName?: string
  lastName?: string
  titles?: string
  reseller?: string
  dryRun?: boolean
}

const flagOf = {
  userType: '--type',
  companyName: '--company',
  email: '--email',
  firstName: '--first-name',
  lastName: '--last-name',
  numberOfPublications: '--titles',
  resellerId: '--reseller',
  password: 'the password',
}

export function publishersAddCommand(cli: Cli): Command {
  return describe(new Command('add'), {
    summary: 'Add a publisher, or a reseller',
    details:
      'On a terminal it asks for missing values. The password is typed without echo, read from\n' +
      'stdin, or chosen after an invitation; there is no flag for it.',
    examples: [
      ['interactively', 'subscriptions publishers add'],
      [
        'from a script',
        'subscriptions publishers add --company "Quill Ltd" --titles 3 --invite \\\n    --email p@example.com --first-name Ann --last-name Lee',
      ],
      ['a reseller', 'subscriptions publishers add --type reseller --company "Agents Ltd"'],
    ],
    exits: ['missing', 'conflict'],
  })
    .addOption(
      new Option('--type <type>', 'publisher or reseller').choices(['publisher', 'reseller']).default('publisher'),
    )
    .option('--company <name>', 'the name of the company')
    .option('--email <email>', 'the email that the publisher logs in with')
    .option('--first-name <name>', 'the first name')
    .option('--last-name <name>', 'the last name')
    .option('--titles <number>', 'how many titles the publisher may have (default: 1)')
    .option('--reseller <email>', 'the reseller who manages the publisher')
    .option(...passwordFlags.passwordStdin)
    .option(...passwordFlags.invite)
    .option(...flags.dryRun)
    .action(action<AddFlags>(cli, (options) => addOne(cli, options)))
}

async function addOne({ cliOutput }: Cli, options: AddFlags & { as?: string }): Promise<number> {
  const { type, titles, reseller, dryRun = false } = options
  const questions = [
    { name: 'companyName', flag: '--company', question: 'Company', value: options.company },
    { name: 'email', flag: '--email', question: 'Email', value: options.email },
    { name: 'firstName', flag: '--first-name', question: 'First name', value: options.firstName },
    { name: 'lastName', flag: '--last-name', question: 'Last name', value: options.lastName },
  ]
  requireFlags(cliOutput, questions, options)
  const [{ withSession }, { addPublisher }, { findUser }, { withDryRun }] = await Promise.all([
    import('../session.ts'),
    import('#core/users/add-publisher.ts'),
    import('#core/users/find-user.query.ts'),
    import('../with-dry-run.ts'),
  ])
  return withSession(cliOutput, options, async ({ ctx }) => {
    const resellerId = reseller && (await findUser(ctx, { email: reseller, userType: 'reseller' })).id
    const answers = await answersTo(cliOutput, questions)
    const input = {
      ...answers,
      ...(await readInitialPassword(cliOutput, options)),
      userType: type,
      ...(titles !== undefined && { numberOfPublications: titles }),
      ...(resellerId && { resellerId }),
    }
    const { id, isInvited } = await withFlagErrors(flagOf, 'subscriptions publishers add', () =>
      withDryRun(ctx, dryRun, () => addPublisher(ctx, input)),
    )
    if (cliOutput.flags.json) {
      await cliOutput.json({ dryRun, id: dryRun ? null : id, email: answers.email, userType: type, isInvited })
      return 0
    }
    const company = printable(answers.companyName ?? '')
    await cliOutput.confirm(
      dryRun ? `Would add the ${type} ${company}` : `${cliOutput.out.done} Added the ${type} ${company}`,
    )
    await cliOutput.confirm(
      labelled([
        ['Contact', `${answers.firstName} ${answers.lastName}`],
        ['Email', answers.email],
        ['Titles', type === 'publisher' ? (titles ?? '1') : null],
        ['Reseller', reseller],
        ['Log-in', isInvited ? 'an invitation is sent to this email' : 'with the password that was given'],
        ['ID', dryRun ? null : id],
      ]),
    )
    if (!dryRun)
      cliOutput.say(
        type === 'publisher'
          ? `Next, its staff: subscriptions users add --publisher ${answers.email}`
          : `Next, its publishers: subscriptions publishers add --reseller ${answers.email}`,
      )
    return 0
  })
}
