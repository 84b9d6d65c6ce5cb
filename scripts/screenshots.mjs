// npm run screenshots: the pictures of the product on its public pages and in README.md, taken from the demo. It starts the built product
// with a separate demo, opens each screen in Chromium, and writes web/app/images/*.avif and screenshots.ts, which the pages import, and
// masthead.png, which README.md and link previews show.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkNode, ensureBuilt, ensureInstalled, root, say } from './project.mjs'

checkNode()
await ensureInstalled()
await ensureBuilt()
const { chromium } = await import('playwright-core')
const { default: sharp } = await import('sharp')

/** Two device pixels per CSS pixel: sharp on high-resolution screens. */
const density = 2
const avif = { quality: 48, effort: 3, chromaSubsampling: '4:4:4' }
/** The width of pictures in the guide, in CSS pixels. */
const guideWidth = 640
const folder = join(root, 'web/app/images')

const publisher = { email: 'publisher@demo.masthead.test', loginPath: '/login' }
const desk = { width: 1120, height: 700 }
/** For pictures without the menu on the left. */
const content = { width: 1060, height: 620 }
const phone = { width: 390, height: 760 }

/**
 * Each picture: the user who is logged in, the page and the size of the window. `at` is the element to scroll to, `fill` what is typed
 * first. `isContent` leaves out the menu; pictures with `isGuide` appear only in the guide, and are small.
 */
const pictures = [
  { name: 'storefront', path: '/harbour-light?country=GB', size: desk },
  { name: 'storefront-phone', path: '/harbour-light?country=GB', size: phone, at: 'h2' },
  { name: 'dashboard', as: publisher, path: '/dashboard', size: { width: 1120, height: 760 } },
  { name: 'ledger', as: publisher, path: '/payments', size: content, isContent: true, isGuide: true },
  {
    name: 'schedule',
    as: publisher,
    path: '/payments/schedule',
    size: { width: 1060, height: 660 },
    at: '#main h2',
    isContent: true,
  },
  {
    name: 'mailing-file',
    as: publisher,
    path: '/mailingfile/{publication}',
    size: { width: 1060, height: 660 },
    isContent: true,
  },
  { name: 'manage-data', as: publisher, path: '/managedata', size: { width: 1060, height: 780 }, isContent: true },
  { name: 'account', as: publisher, path: '/account', size: content, isContent: true, isGuide: true },
  {
    name: 'payments',
    as: publisher,
    path: '/account',
    size: content,
    at: '#payments, #payment',
    isContent: true,
    isGuide: true,
  },
  { name: 'add-publication', as: publisher, path: '/addpublication', size: content, isContent: true, isGuide: true },
  {
    name: 'upload',
    as: publisher,
    path: '/uploadadditional/{publication}',
    size: content,
    isContent: true,
    isGuide: true,
  },
  { name: 'users', as: publisher, path: '/users', size: content, isContent: true, isGuide: true },
  {
    name: 'promo-codes',
    as: publisher,
    path: '/promocodes/{publication}',
    size: content,
    isContent: true,
    isGuide: true,
  },
  {
    name: 'mail-texts',
    as: publisher,
    path: '/editpublication/{publication}/info',
    size: content,
    at: '#field-emailText',
    fill: {
      '#field-emailText': 'Welcome aboard. Your first issue leaves the harbour with the next post.',
      '#field-emailEnd': 'Fair winds, from all of us at Harbour Light.',
    },
    isContent: true,
    isGuide: true,
  },
  { name: 'reader', as: publisher, path: '/editreader/{reader}', size: content, isContent: true, isGuide: true },
]

/** The pictures written so far, for screenshots.ts. */
const savedPictures = []
const pngByName = {}
const knownIds = {}
const data = mkdtempSync(join(tmpdir(), 'masthead-screenshots-'))
const port = await freePort()
const url = `http://localhost:${port}`
const server = fork(join(root, 'dist/serve.js'), {
  cwd: root,
  detached: true,
  stdio: 'ignore',
  env: {
    ...process.env,
    NODE_ENV: 'development',
    SEED: 'demo',
    DATA_DIR: data,
    PORT: String(port),
    APP_URL: url,
    LOG_LEVEL: 'silent',
    DATABASE_URL: '',
    REDIS_URL: '',
  },
})
try {
  await waitUntilUp(`${url}/readyz`)
  const executablePath = [
    process.env.CHROMIUM_PATH,
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/google-chrome',
  ].find((path) => path && existsSync(path))
  if (!executablePath) throw new Error('No Chromium was found. Install it or set CHROMIUM_PATH.')
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  mkdirSync(folder, { recursive: true })
  const sessions = new Map()
  for (const picture of pictures) await take(browser, sessions, picture)
  await compose(browser)
  await browser.close()
  writeFileSync(join(folder, 'screenshots.ts'), moduleText(savedPictures))
} finally {
  server.disconnect()
  if (server.exitCode === null) await once(server, 'exit')
  rmSync(data, { recursive: true, force: true })
}

async function take(browser, sessions, { name, as, path, size, at, fill = {}, isContent = false, isGuide = false }) {
  const context = await browser.newContext({
    baseURL: url,
    viewport: size,
    deviceScaleFactor: density,
    colorScheme: 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    ...(sessions.has(as?.email) ? { storageState: sessions.get(as.email) } : {}),
  })
  const page = await context.newPage()
  if (as && !sessions.has(as.email)) {
    await page.goto(as.loginPath)
    await page.getByLabel('Email').first().fill(as.email)
    await page.getByLabel('Password', { exact: true }).fill('masthead')
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.waitForURL('**/dashboard')
    sessions.set(as.email, await context.storageState())
  }
  await page.goto(await fillIds(page, path), { waitUntil: 'networkidle' })
  await page.evaluate(() => document.fonts.ready)
  for (const [field, text] of Object.entries(fill)) await page.fill(field, text)
  await page.evaluate(replaceHost, new URL(url).host)
  if (at)
    await page
      .locator(at)
      .first()
      .evaluate((element) => window.scrollTo(0, element.getBoundingClientRect().top + window.scrollY - 72))
  const left = isContent ? await page.locator('#main').evaluate((main) => main.getBoundingClientRect().left) : 0
  const top = isContent ? await page.locator('header').evaluate((bar) => bar.getBoundingClientRect().bottom) : 0
  const area = { width: Math.floor(size.width - left), height: Math.floor(size.height - top) }
  const png = await page.screenshot({ animations: 'disabled', caret: 'hide', clip: { x: left, y: top, ...area } })
  pngByName[name] = png
  // The largest size at which it is shown, and half of that for phones.
  const width = isGuide ? guideWidth * density : area.width * density
  const height = Math.round((area.height * width) / area.width)
  const files = isGuide
    ? [[name, width]]
    : [
        [name, width],
        [`${name}-small`, width / density],
      ]
  let bytes = 0
  for (const [file, pixels] of files) {
    const { size: written } = await sharp(png)
      .resize(pixels)
      .avif(avif)
      .toFile(join(folder, `${file}.avif`))
    bytes += written
  }
  savedPictures.push({
    name,
    width: width / density,
    height: Math.round(height / density),
    files: files.map(([file]) => file),
  })
  say(`${name.padEnd(18)} ${Math.round(bytes / 1024)} kB`)
  await context.close()
}

/** Runs in the page: replaces the local address with an example one. */
function replaceHost(host) {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) texts.currentNode.data = texts.currentNode.data.replace(host, 'subscribe.example')
}

/** One picture for link previews and README.md: name and headline next to a desktop and a phone screen, in the product's fonts and colours. */
async function compose(browser) {
  const size = { width: 1200, height: 630 }
  const context = await browser.newContext({ viewport: size, deviceScaleFactor: density, bypassCSP: true })
  const page = await context.newPage()
  await page.goto(url, { waitUntil: 'networkidle' })
  const source = (name) => `data:image/png;base64,${pngByName[name].toString('base64')}`
  await page.evaluate(
    async ({ desktop, phone }) => {
      const mark = document.querySelector('header svg').outerHTML
      const lines = document.querySelector('h1').innerHTML
      document.body.innerHTML = `<div style="position:relative;width:1200px;height:630px;overflow:hidden;background:var(--color-tint-sea)">
        <div style="position:absolute;left:64px;top:72px;font:600 26px var(--font-serif);display:flex;gap:12px;align-items:center">${mark}Masthead</div>
        <div style="position:absolute;left:64px;top:196px;font:600 50px/58px var(--font-serif);letter-spacing:-0.015em">${lines}</div>
        <div style="position:absolute;left:64px;top:400px;width:400px;text-wrap:balance;font:400 22px/32px var(--font-sans);color:var(--color-ink-2)">Subscriptions for magazine publishers</div>
        <img src="${desktop}" class="frame" style="position:absolute;left:520px;top:64px;width:860px;max-width:none">
        <div style="position:absolute;left:912px;top:214px;width:236px;border:5px solid var(--color-nav);border-radius:26px;overflow:hidden;box-shadow:var(--shadow-float)"><img src="${phone}" style="display:block;width:100%"></div>
      </div>`
      await document.fonts.ready
      await Promise.all([...document.images].map((image) => image.decode()))
    },
    { desktop: source('dashboard'), phone: source('storefront-phone') },
  )
  const { size: bytes } = await sharp(await page.screenshot({ animations: 'disabled' }))
    .resize(1600)
    .png({ palette: true, quality: 90, effort: 10 })
    .toFile(join(folder, 'masthead.png'))
  say(`${'masthead'.padEnd(18)} ${Math.round(bytes / 1024)} kB`)
  await context.close()
}

/** The text of screenshots.ts, from which pages import the pictures and their sizes. */
function moduleText(all) {
  const camel = (file) => file.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase())
  const files = all.flatMap((shot) => shot.files).sort((a, b) => (a < b ? -1 : 1))
  const imports = files.map((file) => `import ${camel(file)} from './${file}.avif?url'`)
  const entries = [...all]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, width, height, files: [, small] }) => {
      const key = name.includes('-') ? `'${name}'` : name
      return `  ${key}: { src: ${camel(name)}, small: ${small ? camel(small) : 'null'}, width: ${width}, height: ${height} },`
    })
  return `// Written by \`npm run screenshots\`.
${imports.join('\n')}

/** The product's own screens: each at twice its size, those of the landing page also small. */
export const screenshots = {
${entries.join('\n')}
} as const

export type Screenshot = keyof typeof screenshots
`
}

/** Fills in the ids of the demo's first title and of the reader of its latest order, taken from links on the pages. */
async function fillIds(page, path) {
  if (path.includes('{') && !knownIds.publication) {
    const address = async (from, pattern) => {
      await page.goto(from, { waitUntil: 'networkidle' })
      const links = await page.locator('a').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
      return links.map((link) => pattern.exec(link)?.[1]).find(Boolean)
    }
    knownIds.publication = await address('/readers', /^\/searchreaders\/(\d+)/)
    const order = await address('/payments', /^\/orderDetails\/([^/?]+)/)
    knownIds.reader = await address(`/orderDetails/${order}`, /^\/editreader\/(\d+)/)
  }
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => knownIds[name])
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, () => {
      const { port: free } = probe.address()
      probe.close(() => resolve(free))
    })
  })
}

async function waitUntilUp(address) {
  for (let tries = 0; tries < 240; tries++) {
    const isUp = await fetch(address).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  throw new Error(`${address} did not respond`)
}
