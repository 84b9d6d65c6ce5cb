import type { TestServer } from './web-server.ts'

/** The newest email to an address once the worker is idle, and the page that its reset link opens. */
export async function mailTo(
  server: Pick<TestServer, 'services' | 'jobsDone'>,
  email: string,
): Promise<{ subject: string; text: string; id: string; link: string }> {
  await server.jobsDone()
  // The worker sends ordinary emails after urgent ones: the newest few may all be others.
  const emails = (await server.services.mail.devMailbox?.list(1000)) ?? []
  const mail = emails.find(({ to }) => to === email)
  if (!mail) throw new Error(`No email was sent to ${email}`)
  const link = /https?:\S+\/reset\w*\/\S+/.exec(mail.text)?.[0]
  return { ...mail, link: link ? new URL(link).pathname : '' }
}
