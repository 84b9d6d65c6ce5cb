// npm run screenshots: the pictures of the product on its public pages and in README.md, taken from the demo. It starts the built product
// with a demo of its own, looks at each screen in Chromium, and writes web/app/images/*.avif and shots.ts, which the pages import.
import { fork } from 'node:child_process'
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

/** Twice the pixels: sharp on the screens that people read on. */
const density = 2
const avif = { quality: 48, effort: 3, chromaSubsampling: '4:4:4' }
/** The guide shows its pictures so wide, in CSS pixels. */
const guideWidth = 640
const folder = join(root, 'web/app/images')

const publisher = { email: 'publisher@demo.masthead.test', door: '/login' }
const desk = { width: 1120, height: 700 }
const phone = { width: 390, height: 760 }

/**
 * Each picture: who looks, at what, in a window of which size. `at` is the element from whose top on the page is shown; `isContent` leaves
 * the menu out; `isGuide` is shown in the guide alone, and small.
 */
const pictures = [
  { name: 'storefront', path: '/harbour-light?country=GB', size: desk },
  { name: 'storefront-phone', path: '/harbour-light?country=GB', size: phone, at: 'h2' },
  { name: 'dashboard', as: publisher, path: '/dashboard', size: { width: 1120, height: 760 } },
  { name: 'ledger', as: publisher, path: '/payments', size: desk, isGuide: true },
  { name: 'schedule', as: publisher, path: '/payments/schedule', size: { width: 1060, height: 660 }, isContent: true },
  {
    name: 'mailing-file',
    as: publisher,
    path: '/mailingfile/{publication}',
    size: { width: 1060, height: 660 },
    isContent: true,
  },
  { name: 'manage-data', as: publisher, path: '/managedata', size: { width: 1060, height: 780 }, isContent: true },
  { name: 'account', as: publisher, path: '/account', size: desk, isGuide: true },
  { name: 'payments', as: publisher, path: '/account', size: desk, at: '#payments, #payment', isGuide: true },
  { name: 'add-publication', as: publisher, path: '/addpublication', size: desk, isGuide: true },
  { name: 'upload', as: publisher, path: '/uploadadditional/{publication}', size: desk, isGuide: true },
  { name: 'users', as: publisher, path: '/users', size: desk, isGuide: true },
  { name: 'promo-codes', as: publisher, path: '/promocodes/{publication}', size: desk, isGuide: true },
  {
    name: 'mail-texts',
    as: publisher,
    path: '/editpublication/{publication}/info',
    size: desk,
    at: '#field-emailText',
    isGuide: true,
  },
  { name: 'reader', as: publisher, path: '/editreader/{reader}', size: desk, isGuide: true },
]

const made = []
const known = {}
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
  await answers(`${url}/readyz`)
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
  await browser.close()
  writeFileSync(join(folder, 'shots.ts'), listed(made))
} finally {
  server.disconnect()
  await new Promise((resolve) => (server.exitCode === null ? server.once('exit', resolve) : resolve()))
  rmSync(data, { recursive: true, force: true })
}

async function take(browser, sessions, { name, as, path, size, at, isContent = false, isGuide = false }) {
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
    await page.goto(as.door)
    await page.getByLabel('Email').first().fill(as.email)
    await page.getByLabel('Password', { exact: true }).fill('masthead')
    await page.getByRole('button', { name: 'Log In', exact: true }).click()
    await page.waitForURL('**/dashboard')
    sessions.set(as.email, await context.storageState())
  }
  await page.goto(await filled(page, path), { waitUntil: 'networkidle' })
  await page.evaluate(() => document.fonts.ready)
  if (at)
    await page
      .locator(at)
      .first()
      .evaluate((element) => window.scrollTo(0, element.getBoundingClientRect().top + window.scrollY - 96))
  const left = isContent ? await page.locator('#main').evaluate((main) => main.getBoundingClientRect().left) : 0
  const top = isContent ? await page.locator('#main').evaluate((main) => main.getBoundingClientRect().top) : 0
  const shown = { width: Math.floor(size.width - left), height: Math.floor(size.height - top) }
  const png = await page.screenshot({ animations: 'disabled', caret: 'hide', clip: { x: left, y: top, ...shown } })
  // As it is shown at most, and half of that for phones.
  const width = isGuide ? guideWidth * density : shown.width * density
  const height = Math.round((shown.height * width) / shown.width)
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
  made.push({ name, width: width / density, height: Math.round(height / density), files: files.map(([file]) => file) })
  say(`${name.padEnd(18)} ${Math.round(bytes / 1024)} kB`)
  await context.close()
}

/** The module by which pages find the pictures and their sizes. */
function listed(all) {
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
export const shots = {
${entries.join('\n')}
} as const

export type Shot = keyof typeof shots
`
}

/** The demo's first title, and a reader of it, as the pages themselves name them. */
async function filled(page, path) {
  if (path.includes('{') && !known.publication) {
    const address = async (from, pattern) => {
      await page.goto(from, { waitUntil: 'networkidle' })
      const links = await page.locator('a').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
      return links.map((link) => pattern.exec(link)?.[1]).find(Boolean)
    }
    known.publication = await address('/readers', /^\/searchreaders\/(\d+)/)
    known.reader = await address(`/searchreaders/${known.publication}`, /^\/editreader\/(\d+)/)
  }
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => known[name])
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, () => {
      const { port: free } = probe.address()
      probe.close(() => resolve(free))
    })
  })
}

async function answers(address) {
  for (let tries = 0; tries < 240; tries++) {
    const isThere = await fetch(address).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isThere) return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  throw new Error(`${address} did not answer`)
}
