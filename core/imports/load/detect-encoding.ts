import iconv from 'iconv-lite'
import type { FileEncoding } from '../../kernel/file-encodings.ts'
import { isPlausibleWord, languages } from '../../kernel/language-letters.rules.ts'

/*
 * Detects the encoding of bytes that are not UTF-8: the letters of each language have their usual frequencies, and a wrong table turns them into rare
 * letters, signs inside words and capitals after small letters. We detect it ourselves, since existing detectors do not know Mac Roman, and are made
 * for running text: a reader file consists of names, most of them without an accent.
 */

/** The name of an encoding in iconv-lite. */
export function iconvName(encoding: FileEncoding): string {
  const names: Partial<Record<FileEncoding, string>> = {
    'utf-16be': 'utf16-be',
    'utf-16le': 'utf16-le',
    'utf-8-twice': 'utf8',
    'utf-8-twice-1250': 'utf8',
    'utf-8-twice-1251': 'utf8',
    'ibm-850': 'cp850',
    'ibm-852': 'cp852',
    'ibm-857': 'cp857',
    'ibm-866': 'cp866',
    'mac-cyrillic': 'maccyrillic',
    'shift-jis': 'cp932',
  }
  return names[encoding] ?? encoding
}

const westernLanguages = [
  'english',
  'dutch',
  'french',
  'german',
  'spanish',
  'portuguese',
  'italian',
  'nordic',
  'western',
]

/** The tables that are tried with the languages written in them, and the prior probability of each. */
const tables: { encoding: FileEncoding; prior: number; languages: readonly string[] }[] = [
  {
    encoding: 'windows-1252',
    prior: 0,
    languages: westernLanguages,
  },
  {
    encoding: 'macintosh',
    prior: -2,
    languages: westernLanguages,
  },
  {
    encoding: 'ibm-850',
    prior: -4,
    languages: westernLanguages,
  },
  { encoding: 'iso-8859-15', prior: -2, languages: ['english', 'dutch', 'french', 'western'] },
  { encoding: 'windows-1250', prior: -1, languages: ['polish', 'czech', 'hungarian', 'romanian', 'croatian'] },
  { encoding: 'iso-8859-2', prior: -2, languages: ['polish', 'czech', 'hungarian', 'romanian', 'croatian'] },
  { encoding: 'ibm-852', prior: -4, languages: ['polish', 'czech', 'hungarian', 'romanian', 'croatian'] },
  { encoding: 'windows-1257', prior: -3, languages: ['latvian', 'lithuanian', 'estonian'] },
  { encoding: 'windows-1254', prior: -2, languages: ['turkish'] },
  { encoding: 'ibm-857', prior: -4, languages: ['turkish'] },
  { encoding: 'windows-1251', prior: -1, languages: ['russian', 'macedonian'] },
  { encoding: 'koi8-r', prior: -2, languages: ['russian'] },
  { encoding: 'iso-8859-5', prior: -3, languages: ['russian', 'macedonian'] },
  { encoding: 'ibm-866', prior: -3, languages: ['russian', 'macedonian'] },
  { encoding: 'mac-cyrillic', prior: -3, languages: ['russian', 'macedonian'] },
  { encoding: 'windows-1253', prior: -1, languages: ['greek'] },
  { encoding: 'iso-8859-7', prior: -1.5, languages: ['greek'] },
]

/** The encodings that programs write in a country, the one of Windows first; empty for a country without usual ones. */
function usualEncodings(country: string): readonly FileEncoding[] {
  return families.find(({ countries }) => countries.has(country))?.encodings ?? []
}

const families: { countries: ReadonlySet<string>; encodings: readonly FileEncoding[] }[] = [
  {
    countries: new Set(
      (
        'GB IE IM JE GG US CA AU NZ ZA FR MC BE NL LU DE AT CH LI IT SM VA MT ES AD PT DK NO SE FI IS FO GL ' +
        'AR BO BR CL CO CR DO EC GT HN MX NI PA PE PR PY SV UY VE'
      ).split(' '),
    ),
    encodings: ['windows-1252', 'iso-8859-15', 'macintosh', 'ibm-850'],
  },
  {
    countries: new Set('PL CZ SK HU RO HR SI'.split(' ')),
    encodings: ['windows-1250', 'iso-8859-2', 'ibm-852'],
  },
  {
    countries: new Set('RU UA BY BG MK KZ KG'.split(' ')),
    encodings: ['windows-1251', 'koi8-r', 'iso-8859-5', 'ibm-866', 'mac-cyrillic'],
  },
  { countries: new Set(['GR', 'CY']), encodings: ['windows-1253', 'iso-8859-7'] },
  { countries: new Set(['TR']), encodings: ['windows-1254', 'ibm-857'] },
  { countries: new Set(['EE', 'LV', 'LT']), encodings: ['windows-1257'] },
]

const models = new Map(Object.entries(languages).map(([name, letters]) => [name, modelOf(letters)]))

/** The log probability of each non-ASCII character in a language. */
function modelOf(letters: string): Map<string, number> {
  const counts = letters.split(' ').map((entry) => [entry.charAt(0), Number(entry.slice(1))] as const)
  const total = counts.reduce((sum, [, count]) => sum + count, 0)
  const model = new Map<string, number>()
  for (const [letter, count] of counts) {
    model.set(letter, Math.log(count / total))
    // Names begin with a capital, and some files have nothing else.
    const capital = letter.toUpperCase()
    if (capital.length === 1 && capital !== letter) model.set(capital, Math.log(count / total) - 1.6)
  }
  return model
}

const costs = {
  /** A letter that is not in the language. */
  foreign: -7,
  /** A usual sign that is not inside a word. */
  sign: -6,
  /** A sign exactly where it is usually written: "d’Arc", "£5". */
  signInPlace: -1.5,
  /** A sign where a letter would be rarer than any in the tables: "Jones’s". */
  certainSign: 1,
  signInWord: -11,
  /** Not a character. */
  none: -14,
  capitalInside: -4,
  besideDigit: -4,
}
/** The cost of an implausible word: more than the lead that the likeliest encoding needs. */
const implausibleWord = -7
/** Signs that occur in reader files of any language: quotation marks, dashes, the euro and the pound. */
const usualSigns = new Set('’‘“”–—…€£«»°·•´`„‚ºª©®™½¼¾§№ \u00a0')

export interface DetectedEncoding {
  encoding: FileEncoding
  /** Whether no other encoding comes near; otherwise the user has to choose. */
  isSure: boolean
  /** Whether other encodings come near, but none that is usual in the home country, where this one is the encoding of Windows. */
  isFromHomeCountry: boolean
  /** The other candidates, the likeliest first. */
  others: FileEncoding[]
}

/** The lead, as a natural logarithm, with which the likeliest encoding is sure. Where the home country supports it as well, less is enough. */
const lead = 6
const homeCountryLead = 4
const maxSampleBytes = 40_000

/**
 * The encoding of bytes that are not UTF-8; `bytes` are lines with non-ASCII characters in them, as many as are available. `homeCountry`: where most of
 * the readers live, if that is known.
 */
export function detectEncoding(bytes: Buffer, homeCountry: string): DetectedEncoding {
  const sample = bytes.subarray(0, maxSampleBytes)
  const asian = detectAsian(sample)
  if (asian && asian.hits >= minHits && asian.share >= minShare)
    return { encoding: asian.encoding, isSure: true, isFromHomeCountry: false, others: [] }
  const candidates = tables.map((table) => candidateOf(table, sample)).sort((a, b) => b.score - a.score)
  const [best, ...rest] = candidates as [Candidate, ...Candidate[]]
  // An encoding that gives the same text is not an alternative.
  const others = rest.filter(({ text }) => text !== best.text)
  const near = others.filter(({ score }) => best.score - score < lead)
  const isPoor = best.letters / Math.max(1, countNonAscii(sample)) < -6.5
  // The right table may be one that we do not know: the best of the known ones then gives no plausible words.
  const isWrong = implausibleShare(best.text) > maxImplausible
  const likely = isWrong ? others.toSorted((a, b) => implausibleShare(a.text) - implausibleShare(b.text)) : others
  const isGood = !isPoor && !isWrong && !asian
  const usual = usualEncodings(homeCountry)
  const isHomeCountryRival = ({ encoding, score }: Candidate) =>
    usual.includes(encoding) && best.score - score < homeCountryLead
  return {
    encoding: best.encoding,
    isSure: near.length === 0 && isGood,
    isFromHomeCountry:
      near.length > 0 &&
      isGood &&
      usual[0] === best.encoding &&
      !near.some(isHomeCountryRival) &&
      hasUsualAccents(best.text),
    others: [
      ...(near.length > 0 && !isWrong ? withoutRepeats(near) : withoutRepeats(likely).slice(0, 2)).map(
        ({ encoding }) => encoding,
      ),
      ...(asian ? [asian.encoding] : []),
    ],
  }
}

/** Without the encodings that give the same text as a likelier one. */
function withoutRepeats(candidates: readonly Candidate[]): Candidate[] {
  return candidates.filter(({ text }, index) => candidates.findIndex((other) => other.text === text) === index)
}

/** Whether the accents are on single letters of words, as in most languages: "óëèöà" is a word of another alphabet. */
function hasUsualAccents(text: string): boolean {
  return nonAsciiWords(text).every((word) => {
    if (!/[\u0080-\u024f]/.test(word) || !/\p{L}/u.test(word)) return true
    return !/(?![\0-\x7f])\p{Script=Latin}(?:(?![\0-\x7f])\p{Script=Latin}){2}/u.test(word) && /[a-z\d]/i.test(word)
  })
}

interface Candidate {
  encoding: FileEncoding
  text: string
  /** The score of its letters and signs, and that score minus the cost of its implausible words. */
  letters: number
  score: number
}

function candidateOf({ encoding, prior, languages: names }: (typeof tables)[number], sample: Buffer): Candidate {
  const text = iconv.decode(sample, iconvName(encoding))
  const letters = prior + Math.max(...names.map((name) => scoreOf(text, models.get(name) ?? new Map())))
  return { encoding, text, letters, score: letters + implausibleWord * implausibleWords(text).length }
}

/**
 * The fewest frequent characters in a text of an East Asian language: an accented letter and the one after it may look
 * like such a character by chance.
 */
const minShare = 0.1
const minHits = 3
/** The accepted share of implausible words: a few names are written unusually ("MüLLER"). */
const maxImplausible = 0.2

/** The share of words with letters beyond ASCII that cannot be words. */
export function implausibleShare(text: string): number {
  return implausibleWords(text).length / Math.max(1, nonAsciiWords(text).length)
}

function implausibleWords(text: string): string[] {
  return nonAsciiWords(text).filter((word) => !isPlausibleWord(word))
}

function nonAsciiWords(text: string): string[] {
  return text.replaceAll('\u00a0', ' ').match(/[^\s,;|"]*\P{ASCII}[^\s,;|"]*/gu) ?? []
}

function countNonAscii(bytes: Buffer): number {
  let count = 0
  for (const byte of bytes) if (byte >= 0x80) count++
  return count
}

const isLetter = (letter: string) => letter !== '' && /\p{L}|\p{M}/u.test(letter)
const isCapital = (letter: string) => letter !== '' && letter !== letter.toLowerCase()
const isSmall = (letter: string) => letter !== '' && letter !== letter.toUpperCase()
const isDigit = (letter: string) => letter >= '0' && letter <= '9'

function scoreOf(text: string, model: Map<string, number>): number {
  let score = 0
  for (let index = 0; index < text.length; index++) {
    const letter = text.charAt(index)
    if (letter < '\u0080') continue
    const before = text.charAt(index - 1)
    const after = text.charAt(index + 1)
    const logFrequency = model.get(letter)
    const inPlace = costInPlace(text, index)
    if (logFrequency !== undefined) score += logFrequency
    else if (letter === '\ufffd' || (letter >= '\u0080' && letter < '\u00a0')) score += costs.none
    else if (isLetter(letter)) score += costs.foreign
    else if (inPlace !== null) score += inPlace
    else if (usualSigns.has(letter) && !(isLetter(before) && isLetter(after) && letter !== '’')) score += costs.sign
    else score += isLetter(before) || isLetter(after) ? costs.signInWord : costs.sign - 2
    if (isCapital(letter) && isSmall(before)) score += costs.capitalInside
    // "ÉTÉ" and "Été", but not "ÉtÉ" or a small letter between capitals.
    if (isSmall(letter) && letter !== 'ß' && isCapital(before) && isCapital(after)) score += costs.capitalInside
    // "£5" and "12½", but not "Ł5" or "12œ": a letter after a digit occurs at most in a house number, as in "5é".
    if (
      isLetter(letter) &&
      (isDigit(after) || (isDigit(before) && isDigit(text.charAt(index - 2)))) &&
      !isLetter(before)
    )
      score += costs.besideDigit
  }
  return score
}

/** Where each sign is written, by the text in front of it and after it. */
const places: { signs: string; before: RegExp; after: RegExp; isCertain?: true }[] = [
  // "Jones’s", "O’Brien", "d’Arc", "dell’Orto", "St Thomas’ Road".
  { signs: '’', before: /\p{L}$/u, after: /^[sS](?!\p{L})/u, isCertain: true },
  { signs: '’', before: /(?<!\p{L})\p{L}{1,5}$/u, after: /^\p{L}{2}/u },
  { signs: '’', before: /[sS]$/u, after: /^[ ,;"]/u, isCertain: true },
  { signs: '‘“«„', before: /(?<![^\s,;|"(])$/u, after: /^[\p{L}\d]/u },
  { signs: '’”»“', before: /[\p{L}\d.!?]$/u, after: /^(?![^\s,;|").])/u },
  { signs: '–—', before: /\s$/u, after: /^\s/u, isCertain: true },
  { signs: '–—', before: /\d[a-z]?$/iu, after: /^\d/u },
  { signs: '£€', before: /(?<![\p{L}])$/u, after: /^ ?\d/u },
  { signs: '€', before: /\d ?$/u, after: /^(?!\p{L})/u },
  { signs: '½¼¾', before: /(?<!\p{L})$/u, after: /^(?![\p{L}\d])/u },
  { signs: '\u00a0', before: /[\p{L}\d.,;"]$/u, after: /^[\p{L}\d,;"\r\n]/u },
]

/** What a sign costs where it is usually written; null elsewhere. */
function costInPlace(text: string, index: number): number | null {
  const sign = text.charAt(index)
  if (!usualSigns.has(sign)) return null
  const before = text.slice(Math.max(0, index - 8), index)
  const after = text.slice(index + 1, index + 4)
  const matches = places.filter(
    (place) => place.signs.includes(sign) && place.before.test(before) && place.after.test(after),
  )
  if (matches.length === 0) return null
  return matches.some(({ isCertain }) => isCertain) ? costs.certainSign : costs.signInPlace
}

/** How to recognise an East Asian encoding by its pairs of bytes: which are characters at all, which are common, and the minimum share of common ones. */
interface AsianEncoding {
  encoding: FileEncoding
  isPair(a: number, b: number): boolean
  isCommon(a: number, b: number): boolean
  min: number
  /** Characters that are frequent in names and addresses of the language. */
  letters: string
}
const japanese =
  '田山川木村本野原藤井佐々高橋子美一二三郎市町丁目区県都府東京大阪中小林渡辺伊加吉松清水石池島岡上下前内谷崎真由香恵智健太翔郡北西南' +
  'のアイウエオカキクケコサシスセソタチツテトナニノハヒフヘホマミムメモヤユヨラリルレロワンーあいうえおかきくけこさしすせそたちつてとなにはひふへほまみむめもやゆよらりるれろわをん'

const asianEncodings: AsianEncoding[] = [
  {
    encoding: 'shift-jis',
    isPair: (a, b) => ((a >= 0x81 && a <= 0x9f) || (a >= 0xe0 && a <= 0xef)) && b >= 0x40 && b <= 0xfc && b !== 0x7f,
    isCommon: (a) => (a >= 0x81 && a <= 0x83) || (a >= 0x88 && a <= 0x97),
    min: 0.75,
    letters: japanese,
  },
  {
    encoding: 'euc-jp',
    isPair: (a, b) => a >= 0xa1 && a <= 0xf4 && b >= 0xa1 && b <= 0xfe,
    isCommon: (a) => (a >= 0xa4 && a <= 0xa5) || (a >= 0xb0 && a <= 0xcf),
    min: 0.75,
    letters: japanese,
  },
  {
    encoding: 'euc-kr',
    isPair: (a, b) => a >= 0xa1 && a <= 0xfd && b >= 0xa1 && b <= 0xfe,
    isCommon: (a) => a >= 0xb0 && a <= 0xc8,
    min: 0.95,
    letters:
      '김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민준지현수영은진서연시구동로길읍면리도광역특별',
  },
  {
    encoding: 'gb18030',
    isPair: (a, b) => a >= 0x81 && a <= 0xfe && b >= 0x40 && b <= 0xfe && b !== 0x7f,
    isCommon: (a, b) => a >= 0xb0 && a <= 0xd7 && b >= 0xa1,
    min: 0.75,
    letters:
      '王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文明华国伟建市区路街号省县镇',
  },
  {
    encoding: 'big5',
    isPair: (a, b) => a >= 0xa1 && a <= 0xf9 && ((b >= 0x40 && b <= 0x7e) || (b >= 0xa1 && b <= 0xfe)),
    isCommon: (a) => a >= 0xa4 && a <= 0xc6,
    min: 0.75,
    letters:
      '王李張劉陳楊趙黃周吳徐孫胡朱高林何郭馬羅梁宋鄭謝韓唐馮于董蕭程曹袁鄧許傅沈曾彭呂蘇盧蔣蔡賈丁魏薛葉閻余潘杜戴夏鐘汪田任姜范方石姚譚廖鄒熊金陸郝孔白崔康毛邱秦江史顧侯邵孟龍萬段雷錢湯尹黎易常武喬賀賴龔文明華國偉建市區路街號省縣鎮',
  },
]

/** Detects an East Asian encoding, whose characters are adjacent: in a word of Latin letters only single ones have an accent. */
function detectAsian(bytes: Buffer): { encoding: FileEncoding; hits: number; share: number } | null {
  const [best] = asianEncodings
    .flatMap((asian) => {
      const pairs = countPairs(bytes, asian)
      if (!pairs || pairs.common < asian.min) return []
      const text = iconv.decode(bytes, iconvName(asian.encoding))
      const letters = text.match(/\P{ASCII}/gu) ?? []
      const hits = letters.filter((letter) => asian.letters.includes(letter)).length
      const share = hits / Math.max(1, letters.length)
      return [{ encoding: asian.encoding, hits, share, score: share + pairs.common / 10 }]
    })
    .sort((a, b) => b.score - a.score)
  return best ?? null
}

function countPairs(bytes: Buffer, { isPair, isCommon }: (typeof asianEncodings)[number]): { common: number } | null {
  let pairs = 0
  let common = 0
  let adjacent = 0
  let broken = 0
  let index = 0
  let isAdjacent = false
  while (index < bytes.length) {
    const a = bytes[index] as number
    if (a < 0x80) {
      isAdjacent = false
      index++
      continue
    }
    if (!isPair(a, bytes[index + 1] ?? 0)) {
      broken++
      isAdjacent = false
      index++
      continue
    }
    pairs++
    if (isCommon(a, bytes[index + 1] as number)) common++
    if (isAdjacent || (bytes[index + 2] ?? 0) >= 0x80) adjacent++
    isAdjacent = true
    index += 2
  }
  return pairs > 0 && broken / pairs < 0.02 && adjacent / pairs > 0.4 ? { common: common / pairs } : null
}
