// npm run mail-pictures [-- folder]: renders every email to readers in every language as an image, 320 and 700 pixels
// wide, from its sample. An image shows one email in all languages side by side. Default folder: data/mail-pictures.
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { chromium } from 'playwright-core'
import { register } from 'tsx/esm/api'
import { root } from './project.mjs'
import { findServices } from './test-services.mjs'

const folder = resolve(process.argv[2] ?? join(root, 'data/mail-pictures'))
const unregister = register()
const { emails } = await import('../core/emails/emails.ts')
const { languages } = await import('../core/kernel/languages.ts')
const { makeMailer } = await import('../core/platform/mailer.ts')
await mkdir(folder, { recursive: true })
const mailer = makeMailer({ templatesDir: join(root, 'templates'), mailUrl: undefined, keepDir: folder })
const services = await findServices()
const browser = await chromium.launch({ executablePath: services.chromium, args: ['--no-sandbox'] })
for (const [name, mail] of Object.entries(emails)) {
  const mailLanguages = mail.custom ? languages : ['en']
  const written = await Promise.all(mailLanguages.map((language) => mailer.render(name, mail.sample(language))))
  for (const width of [320, 700]) {
    const page = await browser.newPage({ viewport: { width: (width + 16) * mailLanguages.length, height: 900 } })
    await page.setContent('<body style="margin:0;display:flex;gap:16px"></body>')
    await page.evaluate(
      async ([htmls, px]) => {
        for (const html of htmls) {
          const frame = document.createElement('iframe')
          frame.style.cssText = `border:0;width:${px}px;flex:none`
          const loaded = new Promise((done) => {
            frame.onload = done
          })
          frame.srcdoc = html
          document.body.append(frame)
          await loaded
          frame.style.height = `${frame.contentDocument.documentElement.scrollHeight}px`
        }
      },
      [written.map(({ html }) => html), width],
    )
    await page.screenshot({ path: join(folder, `${name}-${width}.png`), fullPage: true })
    await page.close()
  }
}
await browser.close()
await services.stop()
await unregister()
process.stdout.write(`${folder}\n`)
