import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Command } from 'commander'
import type { AppContext } from '#core/context.ts'
import { countOf, nearest } from '#core/kernel/text-format.ts'
import { handleFrom } from '#core/publications/handle.rules.ts'
import { publicationWireNames } from '#core/publications/wire-names.rules.ts'
import { CliError, usageError } from '../cli-error.ts'
import { type CliOutput, labelled } from '../cli-output.ts'
import { action, type Cli, flags } from '../command.ts'
import { withFlagErrors } from '../field-flags.ts'
import { describe } from '../help.ts'
import { answersTo, type Question, requireFlags } from '../new-person.ts'
import { readLine } from '../read-line.ts'

interface CreateFlags {
  publisher?: string
  name?: string
  issues?: string
  handle?: string
  email?: string
  orderEmail?: string
  colour?: string
  description?: string
  file?: string
  dryRun?: boolean
}

const flagOf = {
  publicationName: '--name',
  issuesPerYear: '--issues',
  urlKey: '--handle',
  emailAddress: '--email',
  orderEmailAddress: '--order-email',
  color: '--colour',
  publicationInfo: '--description',
  publisherId: '--publisher',
}

export function publicationsCreateCommand(cli: Cli): Command {
  return describe(new Command('create'), {
    summary: 'Add a publication: its storefront opens at once',
    details:
      'Prices, links and questions come from a JSON file with the API’s field names (see /api/docs);\n' +
      'flags override the file. On a terminal it asks for required values that are missing.',
    examples: [
      ['interactively', 'subscriptions publications create --publisher ann@example.com'],
      [
        'with flags alone; the handle is made from the name',
        'subscriptions publications create --publisher ann@example.com --name "The Gardener" \\\n    --issues 10 --email hello@example.com --order-email orders@example.com',
      ],
      [
        'from a file, as a dry run',
        'subscriptions publications create --as ann@example.com --file gardener.json --dry-run',
      ],
    ],
    exits: ['missing', 'conflict'],
  })
    .option('--publisher <email>', 'the publisher of the publication; not needed with --as')
    .option('--name <text>', 'its name')
    .option('--issues <number>', 'how many issues appear in a year')
    .option('--handle <handle>', 'the address of its storefront (default: made from the name)')
    .option('--email <address>', 'the contact address for buyers')
    .option('--order-email <address>', 'the address that gets a notice of every sale')
    .option('--colour <colour>', 'its colour, such as #12455C')
    .option('--description <text>', 'the text of its storefront')
    .option('--file <file>', 'further fields as JSON, - for stdin')
    .option(...flags.dryRun)
    .action(action<CreateFlags>(cli, (options) => createOne(cli, options)))
}

async function createOne(cli: Cli, options: CreateFlags & { as?: string }): Promise<number> {
  const { cliOutput } = cli
  const { as, dryRun = false } = options
  const fromFile = options.file === undefined ? {} : await readFields(cliOutput, options.file)
  const textOf = (name: string, flag: string | undefined) =>
    flag ?? (fromFile[name] === undefined ? undefined : String(fromFile[name]))
  const questions: Question[] = [
    { name: 'publicationName', flag: '--name', question: 'Name', value: textOf('publicationName', options.name) },
    {
      name: 'issuesPerYear',
      flag: '--issues',
      question: 'Issues a year',
      value: textOf('issuesPerYear', options.issues),
    },
    {
      name: 'emailAddress',
      flag: '--email',
      question: 'Enquiries email',
      value: textOf('emailAddress', options.email),
    },
    {
      name: 'orderEmailAddress',
      flag: '--order-email',
      question: 'Order email',
      value: textOf('orderEmailAddress', options.orderEmail),
    },
  ]
  if (as !== undefined && options.publisher !== undefined)
    throw usageError(
      '--as and --publisher cannot be combined',
      'with --as it is the publication of that user’s publisher',
    )
  const publisherQuestion = {
    name: 'publisher',
    flag: '--publisher',
    question: 'Publisher (email)',
    value: options.publisher,
  }
  const required = as === undefined ? [publisherQuestion, ...questions] : questions
  requireFlags(cliOutput, required)
  const [{ withSession }, { createPublication }, { withDryRun }] = await Promise.all([
    import('../session.ts'),
    import('#core/publications/create-publication.ts'),
    import('../with-dry-run.ts'),
  ])
  return withSession(cliOutput, { as }, async ({ ctx }) => {
    const { publisher, ...answers } = await answersTo(cliOutput, required)
    const fields = {
      ...fromFile,
      ...answers,
      urlKey: textOf('urlKey', options.handle) ?? handleFrom(answers.publicationName ?? ''),
      ...(options.colour === undefined ? {} : { color: options.colour }),
      ...(options.description === undefined ? {} : { publicationInfo: options.description }),
      ...(publisher === undefined ? {} : { publisherId: await findPublisherId(ctx, publisher) }),
    }
    const { id, urlKey } = await withFlagErrors(flagNames(), 'subscriptions publications create', () =>
      withDryRun(ctx, dryRun, () => createPublication(ctx, fields)),
    )
    const storefront = `${ctx.settings.appUrl}/${urlKey}`
    if (cliOutput.flags.json) {
      await cliOutput.json({ dryRun, id: dryRun ? null : id, urlKey, storefront })
      return 0
    }
    const name = answers.publicationName ?? ''
    await cliOutput.confirm(dryRun ? `Would add ${name}` : `${cliOutput.out.done} Added ${name}`)
    const prices = Object.entries(fromFile).filter(([field, value]) => /price/i.test(field) && value).length
    await cliOutput.confirm(
      labelled([
        ['Handle', urlKey],
        ['Storefront', storefront],
        ['Prices', prices === 0 ? 'none yet' : countOf(prices, 'price')],
        ['ID', dryRun ? null : id],
      ]),
    )
    if (!dryRun) cliOutput.say(`Next: subscriptions publications show ${urlKey}`)
    return 0
  })
}

/** Names each field by its flag, or by its name in the file. */
function flagNames(): Record<string, string> {
  const inFile = Object.entries(publicationWireNames).map(([wireName, field]) => [field, wireName])
  return { ...Object.fromEntries(inFile), ...flagOf }
}

async function findPublisherId(ctx: AppContext, email: string): Promise<number> {
  const { findStaffActor } = await import('#core/users/find-staff-actor.ts')
  const actor = await findStaffActor(ctx, { email })
  if (actor.kind === 'staff' && actor.userType === 'publisher') return actor.userId
  throw usageError(`${email} is not a publisher`, 'specify the publisher itself, not a member of its staff')
}

/** The fields of a JSON file under our names. An unknown name is refused: a typo must not drop a price. */
async function readFields(cliOutput: CliOutput, file: string): Promise<Record<string, unknown>> {
  const text = file === '-' ? await readStdin(cliOutput) : await readText(resolve(cliOutput.io.cwd, file))
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw usageError(`${file} is not JSON`, 'check its quotes, commas and brackets')
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw usageError(`${file} is not a JSON object`, 'write {"publicationName": "The Gardener", ...}')
  return Object.fromEntries(
    Object.entries(parsed).map(([name, value]) => {
      const field = Object.hasOwn(publicationWireNames, name) ? publicationWireNames[name] : undefined
      if (field) return [field, value]
      const near = nearest(name, Object.keys(publicationWireNames))
      throw usageError(
        `${file}: unknown field "${name}"${near ? `, did you mean "${near}"?` : ''}`,
        'the fields: POST /publication in /api/docs',
      )
    }),
  )
}

async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new CliError(
      'notFound',
      'missing',
      cause.code === 'ENOENT' ? `There is no file ${path}` : `${path} cannot be read`,
      'check the name; to read stdin, write - instead',
    )
  })
}

async function readStdin({ io }: CliOutput): Promise<string> {
  const lines: string[] = []
  for (let line = await readLine(io); line !== undefined; line = await readLine(io)) lines.push(line)
  return lines.join('\n')
}
