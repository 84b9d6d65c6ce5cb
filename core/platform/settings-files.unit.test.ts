import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadEnv, readEnv } from './env.ts'
import { projectRoot } from './project-root.ts'
import { readSettings } from './settings-files.ts'
import { hasSecrets, shownSettings } from './shown-settings.ts'

let folder: string
let userFile: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'masthead-settings-'))
  mkdirSync(join(folder, 'subscriptions'))
  userFile = join(folder, 'subscriptions', 'settings.env')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const writeSettingsFile = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const secret = 'x'.repeat(40)

describe('settings', () => {
  it('come from the flag, then the environment, then the user’s file, and say which', () => {
    writeFileSync(userFile, 'PORT=1\nHOST=file\nSEED=none\n')
    const flagFile = writeSettingsFile('flag.env', 'PORT=3\n')
    const settings = readSettings({ XDG_CONFIG_HOME: folder, PORT: '2', HOST: 'environment', SEED: '' }, flagFile)
    expect(settings.values).toMatchObject({ PORT: '3', HOST: 'environment', SEED: 'none' })
    expect(settings.from).toMatchObject({ PORT: flagFile, HOST: 'environment', SEED: userFile })
    expect(settings.files.slice(0, 2)).toEqual([flagFile, userFile])
  })

  it('work without HOME, and are found in .config of HOME', () => {
    expect(() => readSettings({})).not.toThrow()
    mkdirSync(join(folder, '.config'))
    writeFileSync(join(folder, '.config', 'subscriptions'), 'PORT=4\n')
    expect(readSettings({ HOME: folder }).values.PORT).toBe('4')
  })

  it('of SETTINGS_FILE replace the usual files, and that file must exist', () => {
    writeFileSync(userFile, 'PORT=1\n')
    const namedFile = writeSettingsFile('named.env', 'HOST=named\n')
    const { values, files } = readSettings({ XDG_CONFIG_HOME: folder, SETTINGS_FILE: namedFile })
    expect({ port: values.PORT, host: values.HOST, files }).toEqual({
      port: undefined,
      host: 'named',
      files: [namedFile],
    })
    const missing = join(folder, 'no.env')
    expect(() => readSettings({ SETTINGS_FILE: missing })).toThrow(
      `The settings file ${missing} cannot be read: ENOENT`,
    )
  })

  it('may be quoted, exported and commented', () => {
    writeFileSync(
      userFile,
      '\ufeff# ours\r\n\r\nexport MAIL_FROM = "The Gardener <post@example.test>"\r\nTIME_ZONE=\'Europe/Paris\'\r\nAPP_URL=http://x/#a\r\n',
    )
    const { values } = readSettings({ XDG_CONFIG_HOME: folder })
    expect(values).toMatchObject({
      MAIL_FROM: 'The Gardener <post@example.test>',
      TIME_ZONE: 'Europe/Paris',
      APP_URL: 'http://x/#a',
    })
  })

  it('are refused if a line of a file is unreadable or a name is unknown, and the message says where', () => {
    const namedFile = writeSettingsFile('named.env', 'PORT=1\nDATABASE_URL\n')
    expect(() => readSettings({ SETTINGS_FILE: namedFile })).toThrow(
      `Line 2 of the settings file ${namedFile} is not NAME=value`,
    )
    writeFileSync(namedFile, `DATABSE_URL=x\nAPP_SECRET=${secret}\n`)
    expect(() => loadEnv(readSettings({ SETTINGS_FILE: namedFile, OTHER: 'x' }))).toThrow(
      `DATABSE_URL in ${namedFile} is not a setting, did you mean DATABASE_URL?`,
    )
  })

  it('are refused together if a number is none or out of range, and the message says what it must be', () => {
    const wrong = {
      PORT: '70000',
      DATABASE_CONNECTIONS: '1',
      MAIL_PER_MINUTE: 'many',
      MAIL_BODY_DAYS: '-1',
      LOG_LEVEL: 'loud',
    }
    expect(() => readEnv({ ...wrong, APP_SECRET: secret })).toThrow(
      'The settings are wrong: PORT must be a whole number from 1 to 65535; ' +
        'DATABASE_CONNECTIONS must be a whole number, 2 or more; MAIL_BODY_DAYS must be a whole number, 0 or more; ' +
        'MAIL_PER_MINUTE must be a whole number, 1 or more; LOG_LEVEL must be trace, debug, info, warn, error or silent',
    )
  })

  it('are shown with their source, and without secrets', () => {
    const namedFile = writeSettingsFile(
      'named.env',
      `APP_SECRET=${secret}\nDATABASE_URL=postgres://app:sesame@db/masthead\n`,
    )
    const mailFile = writeSettingsFile('mail.env', 'MAIL_URL=smtp://news@example.test:sesame@smtp.example.test\n')
    const mail = readSettings({ SETTINGS_FILE: mailFile })
    expect(hasSecrets(mail, mailFile)).toBe(true)
    expect(JSON.stringify(shownSettings(mail, null))).not.toContain('sesame')
    const settings = readSettings({ SETTINGS_FILE: namedFile, PORT: '8080', AWS_SECRET_ACCESS_KEY: 'sesame' })
    const shown = shownSettings(settings, loadEnv(settings))
    const settingNamed = (name: string) => shown.find((setting) => setting.name === name)
    expect(settingNamed('DATABASE_URL')).toMatchObject({ value: 'postgres://app:***@db/masthead', from: namedFile })
    expect(settingNamed('PORT')).toMatchObject({ value: '8080', from: 'environment' })
    expect(settingNamed('APP_URL')).toMatchObject({ value: 'http://localhost:8080', from: 'default' })
    expect(settingNamed('REDIS_URL')).toMatchObject({ value: null, from: 'default' })
    expect(JSON.stringify(shown)).not.toMatch(new RegExp(`sesame|${secret}`))
  })

  it('refuse a sender with a name, and an unknown time zone', () => {
    const refusal = (name: string, value: string) => () => loadEnv(readSettings({ APP_SECRET: secret, [name]: value }))
    expect(refusal('MAIL_FROM', 'Masthead <mail@example.test>')).toThrow(/MAIL_FROM.*an email address without a name/s)
    expect(refusal('TIME_ZONE', 'Europe/Londn')).toThrow(/TIME_ZONE.*Europe\/London/s)
    for (const [name, value] of [
      ['MAIL_FROM', 'masthead@localhost'],
      ['TIME_ZONE', 'America/New_York'],
      ['TIME_ZONE', 'UTC'],
    ] as const)
      expect(refusal(name, value)).not.toThrow()
  })

  it('mean the same SQLite file from any directory', () => {
    const directory = process.cwd()
    process.chdir(folder)
    try {
      const env = loadEnv(readSettings({ DATABASE_URL: 'sqlite:data/x.db', APP_SECRET: secret }))
      expect(env.databaseUrl).toBe(`sqlite:${join(projectRoot(), 'data/x.db')}`)
    } finally {
      process.chdir(directory)
    }
  })
})
