import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { damageOf, mayBeDamaged, repaired } from '../../kernel/damaged-text.rules.ts'
import { encodingNames, encodingOf, type FileEncoding } from '../../kernel/file-encodings.ts'
import { iconvName } from './detect-encoding.ts'
import { encodingBySample, NonAsciiLines, Utf8Check } from './file-encoding.ts'
import { textDecoder } from './text-decoder.ts'

const french =
  'Hélène,Lefèvre,12 allée des Érables,Orléans\nFrançois,Géraud,3 rue de l’Église,Besançon\nZoë,Noël,1 place du Marché,Nîmes\n'
const german =
  'Jürgen,Müller,Königstraße 4,Köln\nBärbel,Schröder,Am Grünen Weg 12,Nürnberg\nSören,Groß,Bäckergasse 9,Zürich\n'
const polish =
  'Łukasz,Wiśniewski,ul. Świętokrzyska 4,Łódź\nMałgorzata,Zając,ul. Żeromskiego 7,Gdańsk\nPaweł,Dąbrowski,Plac Wolności 1,Kraków\n'
const czech =
  'Jiří,Dvořák,Náměstí Míru 4,Plzeň\nLenka,Růžičková,Příčná 12,České Budějovice\nŠtěpán,Černý,U Mlýna 3,Kroměříž\nTomáš,Žižka,Šumavská 9,Žďár\n'
const hungarian =
  'Ágnes,Szőke,Erdő utca 4,Győr\nLőrinc,Bíró,Fő tér 1,Székesfehérvár\nRózsa,Kővári,Hűvös út 9,Hódmezővásárhely\n'
const russian =
  'Ирина,Соколова,ул. Ленина 4,Москва\nДмитрий,Кузнецов,пр. Мира 12,Казань\nЮлия,Щербакова,Садовая 3,Тверь\n'
const greek =
  'Γιώργος,Παπαδόπουλος,Ερμού 4,Αθήνα\nΕλένη,Νικολάου,Αγίου Δημητρίου 12,Θεσσαλονίκη\nΚώστας,Ιωάννου,Λεωφόρος Συγγρού 3,Πάτρα\n'
const turkish =
  'Ayşe,Yıldız,Çiçek Sokağı 4,İstanbul\nOğuz,Şahin,Gül Caddesi 12,Eskişehir\nÇağla,Kılıç,Bahçelievler 3,Diyarbakır\n'
const latvian =
  'Jānis,Bērziņš,Brīvības iela 4,Rīga\nŽanete,Kļaviņa,Ķīšezera iela 12,Jūrmala\nGuntārs,Ozoliņš,Čaka iela 3,Liepāja\n'
const lithuanian =
  'Jurgita,Petrauskaitė,Žalgirio g. 4,Šiauliai\nKęstutis,Žukauskas,Ąžuolyno g. 12,Panevėžys\nRūta,Šimkutė,Laisvės al. 3,Mažeikiai\n'
const traditional = '陳,志明,中正路四號,臺北市\n林,淑芬,民生東路十二號,臺中市\n黃,建宏,和平街三號,高雄市\n'
const simplified = '王,伟,中山路四号,北京市\n李,秀英,解放路十二号,上海市\n张,建华,人民街三号,广州市\n'
const japanese = '山田,太郎,本町四丁目,東京都\n佐藤,花子,さくら通り,大阪市\n鈴木,一郎,青山マンション,横浜市\n'
const korean =
  '김,민준,세종로 사번지,서울특별시\n이,서연,중앙로 십이번지,부산광역시\n박,지훈,대학로 삼번지,대구광역시\n'

const encodedTexts: readonly (readonly [string, FileEncoding])[] = [
  [french, 'windows-1252'],
  [french, 'macintosh'],
  [french, 'ibm-850'],
  [german, 'windows-1252'],
  [german, 'macintosh'],
  [german, 'ibm-850'],
  [polish, 'windows-1250'],
  [polish, 'iso-8859-2'],
  [czech, 'windows-1250'],
  [czech, 'iso-8859-2'],
  [hungarian, 'windows-1250'],
  [russian, 'windows-1251'],
  [russian, 'koi8-r'],
  [russian, 'iso-8859-5'],
  [greek, 'windows-1253'],
  [greek, 'iso-8859-7'],
  [turkish, 'windows-1254'],
  [turkish, 'ibm-857'],
  [turkish.toUpperCase(), 'ibm-857'],
  [polish, 'ibm-852'],
  [czech, 'ibm-852'],
  [hungarian, 'ibm-852'],
  [russian, 'ibm-866'],
  [russian.toUpperCase(), 'ibm-866'],
  [russian, 'mac-cyrillic'],
  [latvian, 'windows-1257'],
  [lithuanian, 'windows-1257'],
  [traditional, 'big5'],
  [simplified, 'gb18030'],
  [japanese, 'shift-jis'],
  [japanese, 'euc-jp'],
  [korean, 'euc-kr'],
]

function detected(bytes: Buffer, homeCountry?: string) {
  const nonAsciiLines = new NonAsciiLines()
  const utf8 = new Utf8Check()
  nonAsciiLines.add(bytes)
  utf8.add(bytes)
  return encodingBySample(nonAsciiLines.bytes(), utf8.end(), homeCountry)
}

const decoded = (bytes: Buffer, encoding: FileEncoding) => {
  const decoder = textDecoder(encoding)
  // Cut anywhere: a character may end in the next chunk.
  let text = ''
  for (let from = 0; from < bytes.length; from += 7) text += decoder.write(bytes.subarray(from, from + 7))
  return text + decoder.end()
}

describe('the encoding of a file', () => {
  it.each(encodedTexts)('%s in %s', (text, encoding) => {
    const bytes = iconv.encode(text, iconvName(encoding))
    const { encoding: found, doubt } = detected(bytes)
    expect(doubt).toBeNull()
    // The same letters by another table count as equal.
    expect(decoded(bytes, found)).toBe(text.replaceAll('’', iconv.decode(iconv.encode('’', iconvName(encoding)), iconvName(encoding)))) // biome-ignore format: a row
  })

  it('is UTF-8 even with a few invalid bytes', () => {
    const bytes = Buffer.concat([Buffer.from(french), Buffer.from('Zo\xeb,Smith\n', 'latin1')])
    expect(detected(bytes)).toEqual({ encoding: 'utf-8', doubt: null, assumed: null })
  })

  it.each([
    'Ren\xe9e,Smith,4 Mill Lane,Ely',
    'Ann,O\x92Brien,4 Mill Lane,Ely',
    'Ann,D\x92Arcy,4 Mill Lane,Ely',
    'Ann,Lee,\x93The Laurels\x94,Ely',
    'Ann,Lee,12\x9614 Mill Lane,Ely',
    'Ann,Lee,Mill Lane,paid \xa35',
    'Ann,Lee,Mill Lane,paid \x8012',
    'Ann,Lee,12\xbd Mill Lane,Ely',
    'Ann,Lee,Mill\xa0Lane,Ely',
    'J\xfcrgen,Lee,Mill Lane,Ely',
  ])('is Windows-1252 when one byte of an otherwise ASCII file says so: %j', (line) => {
    const bytes = Buffer.from(`Kay,Ray,2 Quay,Bath\n${line}\nPat,May,1 Hill,Hull\n`, 'latin1')
    expect(detected(bytes)).toEqual({ encoding: 'windows-1252', doubt: null, assumed: null })
  })

  it('is not silently taken for a Baltic one because of names with ë', () => {
    for (const text of [
      'Zoë,Daniëls,Zoëweg 4,België\n',
      'Zoë,Smith,4 Mill Lane,Ely\nChloë,Kay,2 Quay,Bath\n'.repeat(9),
    ])
      expect(detected(Buffer.from(text, 'latin1')).encoding).toBe('windows-1252')
  })

  it.each([
    ['Hal\xe8,Lee,Mill Lane,Ely', 'GB', 'windows-1250'],
    ['Hal\xe8,Lee,Mill Lane,Ely', 'FR', 'windows-1250'],
    ['Zo\xeb,Smith,4 Mill Lane,Ely', 'GB', 'windows-1257'],
    ['Ann,Lee,4 St James\x92s Road,Ely', 'GB', 'macintosh'],
    ['Ann,Lee,St Thomas\x92 Court,Ely', 'GB', 'macintosh'],
    ['Ann,Lee \x96 Kay,Mill Lane,Ely', 'GB', 'macintosh'],
  ])('is the usual one in the home country when others are nearly as likely: %j in %s', (line, country, nextLikely) => {
    const bytes = Buffer.from(`${line}\n`, 'latin1')
    const { encoding, doubt, assumed } = detected(bytes, country)
    expect({ encoding, doubt }).toEqual({ encoding: 'windows-1252', doubt: null })
    expect(assumed?.problem).toContain('usual in your country')
    expect(assumed?.likely.slice(0, 2)).toEqual(['windows-1252', nextLikely])
    expect(detected(bytes).doubt).not.toBeNull()
  })

  it.each([
    ['Vl\xe8ek,No\xf8\xe8', 'GB'],
    // A word of Cyrillic letters.
    ['\xf3\xeb\xe8\xf6\xe0,Lee', 'GB'],
    // Two encodings that are usual there.
    ['Vla\x9aim,Lee', 'GB'],
    ['Hal\xe8,Lee', 'JP'],
  ])('is asked for when the home country does not settle it: %j in %s', (line, country) => {
    expect(detected(Buffer.from(`${line}\n`, 'latin1'), country).doubt).not.toBeNull()
  })

  it('is left open when two are equally likely', () => {
    // 0xE8 is a Western è, a Czech č and a Russian и.
    const { doubt } = detected(Buffer.from('Vl\xe8ek,No\xf8\xe8\n', 'latin1'))
    expect(doubt?.likely.length).toBeGreaterThan(1)
  })

  it.each([
    [greek, 'cp737'],
    [russian, 'cp855'],
    [lithuanian, 'cp775'],
    [polish, 'maccenteuro'],
    [greek, 'macgreek'],
  ])('is asked for when the code page is not one that we know: %s in %s', (text, table) => {
    const { doubt } = detected(iconv.encode(text, table))
    expect(doubt?.problem).toContain('cannot be detected')
  })

  it('is not taken for an East Asian one because of a few accents', () => {
    const { encoding, doubt } = detected(iconv.encode('Mäkinen,Hämeenlinna\nVäinö,Jyväskylä\n', 'macintosh'))
    expect(doubt === null ? encoding : doubt.likely[0]).toBe('macintosh')
  })

  it.each([french, german, czech, russian, greek])('is recognised as doubly encoded UTF-8: %s', (text) => {
    const high = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'
    const doublyEncoded = [...Buffer.from(text)].map((byte) => (byte >= 0x80 && byte < 0xa0 ? high[byte - 0x80] : String.fromCharCode(byte))).join('') // biome-ignore format: a row
    const { encoding, doubt } = detected(Buffer.from(doublyEncoded))
    expect(encoding).toBe('utf-8')
    expect(doubt?.likely[0]).toBe('utf-8-twice')
    expect(decoded(Buffer.from(doublyEncoded), 'utf-8-twice')).toBe(text)
  })

  it('has one name for all its aliases', () => {
    for (const name of encodingNames) expect(encodingOf(name.toUpperCase())).toBe(name)
    expect(['latin1', 'CP1250', 'Mac-Roman', 'sjis', 'GBK', 'cp850'].map(encodingOf)).toEqual([
      'windows-1252', 'windows-1250', 'macintosh', 'shift-jis', 'gb18030', 'ibm-850',
    ]) // biome-ignore format: a row
    expect(encodingOf('klingon')).toBeNull()
  })
})

describe('text that was damaged before', () => {
  it.each([
    ['ZoÃ«', 'Zoë'],
    ['FranÃ§ois', 'François'],
    ['lâ€™Ã‰glise', 'l’Église'],
    ['Zoë was ZoÃ«', 'Zoë was Zoë'],
  ])('%s is found, with its probable original', (text, original) => {
    expect(mayBeDamaged(text)).toBe(true)
    expect(damageOf(text)).toContain(`“${original}”`)
  })

  it.each(['Zoë', 'JOÃO', 'São Tomé', 'GARÇON', 'Ângela', 'Ö»', 'naïve', 'Łódź', '£5', '5 °C'])(
    '%s is undamaged',
    (text) => {
      expect(damageOf(text)).toBeNull()
    },
  )

  it('is reported for a lost character, and undamaged text is left alone', () => {
    expect(damageOf('Zo\ufffd')).toContain('not a character')
    expect(repaired('Zoë')).toBeNull()
    expect(repaired('Zoe')).toBeNull()
  })
})
