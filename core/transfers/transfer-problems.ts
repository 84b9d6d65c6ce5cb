import type { AppContext } from '../context.ts'
import type { FieldPhrases } from '../kernel/phrases.ts'

interface Raw {
  [name: string]: unknown
}

/** The field problems for this kind and protocol; `has` says which secrets are stored already. */
export async function transferProblems(
  ctx: AppContext,
  raw: Raw,
  { protocol, kind }: { protocol: unknown; kind: unknown },
  has: { login: boolean; header: boolean } = { login: false, header: false },
): Promise<FieldPhrases> {
  const text = (name: string) => (typeof raw[name] === 'string' ? raw[name].trim() : '')
  if (protocol === 'https') {
    if (kind === 'mailing-file') return { protocol: 'A mailing file is sent by SFTP' }
    return httpsProblems(ctx, text, has.header)
  }
  const problems: FieldPhrases = {}
  if (text('host') === '') problems.host = 'Required'
  else if (!/^[a-z0-9.:_-]+$/i.test(text('host'))) problems.host = 'Must be a host name such as sftp.example.com'
  if (text('login') === '') problems.login = 'Required'
  if (text('password') !== '' && text('privateKey') !== '') problems.password = 'Enter a password or a key, not both'
  else if (text('password') === '' && text('privateKey') === '' && !has.login)
    problems.password = 'Enter a password, or a private key below'
  if (text('privateKey') !== '') {
    const problem = await ctx.remoteFiles.keyProblem(text('privateKey'), String(raw.passphrase ?? ''))
    if (problem) problems.privateKey = problem
  }
  if (kind === 'import' && raw.filePattern !== undefined && text('filePattern') === '')
    problems.filePattern = 'Required'
  else if (/[/\\]/.test(text('filePattern')))
    problems.filePattern = 'Must be a name without folders; * stands for any characters'
  return problems
}

function httpsProblems({ remoteFiles }: AppContext, text: (name: string) => string, hasHeader: boolean): FieldPhrases {
  const problems: FieldPhrases = {}
  const { allowsLoopback } = remoteFiles
  const url = URL.canParse(text('url')) ? new URL(text('url')) : null
  if (text('url') === '') problems.url = 'Required'
  else if (!url || !(url.protocol === 'https:' || (allowsLoopback && url.protocol === 'http:')))
    problems.url = 'Must begin with https://'
  else if (url.username !== '' || url.password !== '')
    problems.url = 'Leave out the user and password: enter an Authorization header below'
  const name = text('headerName')
  if (name !== '' && !/^[\w-]+$/.test(name)) problems.headerName = 'Must be the name of a header, such as Authorization'
  else if (/^(host|content-length|transfer-encoding|connection)$/i.test(name)) problems.headerName = 'Cannot be set'
  if (name !== '' && text('headerValue') === '' && !hasHeader) problems.headerValue = 'Required'
  else if (name === '' && text('headerValue') !== '') problems.headerName = 'Required'
  else if (!/^[\t\x20-\x7e]*$/.test(text('headerValue'))) problems.headerValue = 'Must be one line of ASCII characters'
  return problems
}
