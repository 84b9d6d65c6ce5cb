import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { damageOf, mayBeDamaged } from '../../kernel/damaged-text.rules.ts'
import type { FileEncoding } from '../../kernel/file-encodings.ts'
import { encodingBySample, NonAsciiLines } from './file-encoding.ts'
import { textDecoder } from './text-decoder.ts'

/** The text as saved by a program that reads UTF-8 as an older encoding; the gaps of the table become control characters, as in browsers. */
function savedTwice(text: string, table: 'windows-1250' | 'windows-1251'): string {
  return [...Buffer.from(text)]
    .map((byte) => {
      const letter = iconv.decode(Buffer.from([byte]), table)
      return letter === '\ufffd' ? String.fromCharCode(byte) : letter
    })
    .join('')
}

function detected(text: string) {
  const lines = new NonAsciiLines()
  lines.add(Buffer.from(text))
  return encodingBySample(lines.bytes(), true)
}

function decoded(text: string, encoding: FileEncoding): string {
  const decoder = textDecoder(encoding)
  return decoder.write(Buffer.from(text)) + decoder.end()
}

const russian = 'Иван,Иванов,ул. Ленина 4,Москва\nАнна,Щербакова,Садовая 3,Тверь\nЮлия,Ким,пр. Мира 12,Шуя\n'
const ukrainian = 'Олексій,Шевченко,вул. Хрещатик 4,Київ\nНаталія,Ковальчук,вул. Шкільна 1,Рівне\n'
const polish =
  'Stanisław,Błaszczyk,ul. Długa 4,Gdańsk\nZofia,Wójcik,ul. Żeromskiego 7,Łódź\nJan,Święch,Rynek 1,Kraków\n'
const czech = 'Jiří,Dvořák,Náměstí Míru 4,Plzeň\nŠtěpán,Černý,U Mlýna 3,Kroměříž\nTomáš,Žižka,Šumavská 9,Žďár\n'
const french = 'Zoë,Noël,1 place du Marché,Nîmes\nHélène,Lefèvre,12 allée des Érables,Orléans\n'

describe('a file of UTF-8 that was saved twice', () => {
  it.each([
    [russian, 'windows-1251'],
    [russian.toUpperCase(), 'windows-1251'],
    [ukrainian, 'windows-1251'],
    [polish, 'windows-1251'],
    [polish, 'windows-1250'],
    [polish.toUpperCase(), 'windows-1250'],
    [czech, 'windows-1250'],
    [french, 'windows-1250'],
    [french, 'windows-1251'],
    [russian, 'windows-1250'],
  ] as const)('is refused, and the encoding that repairs it is offered: %s as %s', (text, table) => {
    const doublyEncoded = savedTwice(text, table)
    for (const rows of [1, 700]) {
      const { doubt } = detected(doublyEncoded.repeat(rows))
      expect(doubt?.problem).toContain('saved with the wrong encoding')
      expect(decoded(doublyEncoded, doubt?.likely[0] as FileEncoding)).toBe(text)
    }
  })

  it('is refused even when a program lost the characters that the code page lacks', () => {
    const { doubt } = detected(savedTwice(russian, 'windows-1251').replaceAll('\u0098', ''))
    expect(doubt?.likely[0]).toBe('utf-8-twice-1251')
  })
})

describe('a cell of UTF-8 that was saved twice', () => {
  it.each([
    ['Stanisław', 'windows-1250'],
    ['Gdańsk', 'windows-1250'],
    ['ul. Żeromskiego 7', 'windows-1250'],
    ['ČERNÝ', 'windows-1250'],
    ['Jiří', 'windows-1250'],
    ['Ancuța', 'windows-1250'],
    ['Jeanne d’Arc', 'windows-1250'],
    ['Ольга', 'windows-1251'],
    ['АННА', 'windows-1251'],
    ['пр. Мира 12', 'windows-1251'],
    ['Zoë', 'windows-1251'],
    ['Błaszczyk', 'windows-1251'],
  ] as const)('is found, with its probable original: %s as %s', (text, table) => {
    const doublyEncoded = savedTwice(text, table)
    expect(mayBeDamaged(`A,${doublyEncoded},12\n`)).toBe(true)
    expect(damageOf(doublyEncoded)).toContain(`“${text}”`)
  })

  it('is found even when one of its characters was lost', () => {
    expect(damageOf(savedTwice('Иванов', 'windows-1251').replaceAll('\u0098', ''))).toContain('ванов')
  })

  it.each([
    'TĂŞNAD', 'GRĂŞAR', 'Tășnad', 'STĹP', 'ÄŽ', 'Đorđe', 'Ďáblice', 'Ńemo', 'Łódź', 'Ślęzak', 'Příčná',
    'Рівне', 'РІВНЕ', 'Сєвєродонецьк', 'СІДОРЕНКО', 'Сёмин', 'СЁМИН', 'Рё', 'РЁ', 'СРЂАН', 'Срђан', 'РАСЈА', 'Ђорђе', 'ЛІЛІЯ',
    'ООО «РОСА»', '«СЕВЕР»', 'г. Орёл – ЕС', 'Д’Артаньян', 'АО “РОСС”', 'ЭС–Р', '№ 5', 'Coca-Cola ЕС™', 'Ă', 'Î–Ş', 'A–Z', 'Ä–Ö', 'Ελλάς', 'Œuvre',
  ])('is not taken for one: %s', (text) => {
    expect(damageOf(text)).toBeNull()
  }) // biome-ignore format: a list
})
