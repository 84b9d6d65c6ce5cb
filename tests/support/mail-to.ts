import type { TestServer } from './web-server.ts'

/** The newest mail to an address once the worker has nothing left to do, and the page that the reset link in it opens. */
export async function mailTo(
  server: Pick<TestServer, 'services' | 'jobsDone'>,
  email: string,
): Promise<{ subject: string; text: string; id: string; link: string }> {
  await server.jobsDone()
  // The worker sends what waited after what somebody waits for: the newest few may all be others.
  const mails = (await server.services.mail.devMailbox?.list(1000)) ?? []
  const mail = mails.find(({ to }) => to === email)
  if (!mail) throw new Error(`No mail went to ${email}`)
  const link = /https?:\S+\/reset\w*\/\S+/.exec(mail.text)?.[0]
  return { ...mail, link: link ? new URL(link).pathname : '' }
}
