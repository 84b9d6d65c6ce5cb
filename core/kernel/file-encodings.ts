/**
 * The encodings a file may be in, with their display names. `utf-8-twice`: UTF-8 that was read as Windows-1252, or as the table at the end of the
 * name, and saved again.
 */
export const encodings = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16, big-endian',
  'windows-1252': 'Western European (Windows-1252)',
  'iso-8859-15': 'Western European (ISO-8859-15)',
  macintosh: 'Western European (Mac Roman)',
  'ibm-850': 'Western European (DOS, code page 850)',
  'windows-1250': 'Central European (Windows-1250)',
  'iso-8859-2': 'Central European (ISO-8859-2)',
  'ibm-852': 'Central European (DOS, code page 852)',
  'windows-1251': 'Cyrillic (Windows-1251)',
  'koi8-r': 'Cyrillic (KOI8-R)',
  'iso-8859-5': 'Cyrillic (ISO-8859-5)',
  'ibm-866': 'Cyrillic (DOS, code page 866)',
  'mac-cyrillic': 'Cyrillic (Mac)',
  'windows-1253': 'Greek (Windows-1253)',
  'iso-8859-7': 'Greek (ISO-8859-7)',
  'windows-1254': 'Turkish (Windows-1254)',
  'ibm-857': 'Turkish (DOS, code page 857)',
  'windows-1257': 'Baltic (Windows-1257)',
  big5: 'Chinese, traditional (Big5)',
  gb18030: 'Chinese, simplified (GB18030)',
  'shift-jis': 'Japanese (Shift-JIS)',
  'euc-jp': 'Japanese (EUC-JP)',
  'euc-kr': 'Korean (EUC-KR)',
  'utf-8-twice': 'UTF-8 that was saved twice (“ZoÃ«” becomes “Zoë”)',
  'utf-8-twice-1250': 'UTF-8 that was saved twice, by way of Windows-1250 (“GdaĹ„sk” becomes “Gdańsk”)',
  'utf-8-twice-1251': 'UTF-8 that was saved twice, by way of Windows-1251 (“РњРёСЂР°” becomes “Мира”)',
} as const

export type FileEncoding = keyof typeof encodings
export const encodingNames = Object.keys(encodings) as [FileEncoding, ...FileEncoding[]]

/** "Windows-1250" for "Central European (Windows-1250)"; if the brackets contain an example, the name before them. */
export function shortEncodingName(encoding: FileEncoding): string {
  const [name = '', inner = ''] = encodings[encoding].split(' (')
  return inner === '' || inner.startsWith('“') ? name : inner.replace(')', '')
}

/** An encoding by its name or by a usual alias; null for an unknown one. */
export function encodingOf(name: string): FileEncoding | null {
  const normalised = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  const known = encodingNames.find((encoding) => encoding.replaceAll('-', '') === normalised)
  return known ?? otherNames[normalised] ?? null
}

const otherNames: Record<string, FileEncoding> = {
  utf16: 'utf-16le',
  unicode: 'utf-16le',
  cp1250: 'windows-1250',
  cp1251: 'windows-1251',
  cp1252: 'windows-1252',
  cp1253: 'windows-1253',
  cp1254: 'windows-1254',
  cp1257: 'windows-1257',
  ansi: 'windows-1252',
  ascii: 'windows-1252',
  // None of the characters that differ is used in names.
  latin1: 'windows-1252',
  iso88591: 'windows-1252',
  latin2: 'iso-8859-2',
  latin9: 'iso-8859-15',
  macroman: 'macintosh',
  mac: 'macintosh',
  cp850: 'ibm-850',
  cp852: 'ibm-852',
  cp857: 'ibm-857',
  cp866: 'ibm-866',
  xmaccyrillic: 'mac-cyrillic',
  dos: 'ibm-850',
  koi8: 'koi8-r',
  gbk: 'gb18030',
  gb2312: 'gb18030',
  cp936: 'gb18030',
  sjis: 'shift-jis',
  cp932: 'shift-jis',
  windows31j: 'shift-jis',
  eucjp: 'euc-jp',
  euckr: 'euc-kr',
  cp949: 'euc-kr',
  cp950: 'big5',
}

/** The delimiters of a file, by their names in forms, calls and commands. */
export const delimiters = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const
export type DelimiterName = keyof typeof delimiters
export const delimiterNames = Object.keys(delimiters) as [DelimiterName, ...DelimiterName[]]

/** "comma" for ",". */
export function delimiterName(delimiter: string): string {
  return delimiterNames.find((name) => delimiters[name] === delimiter) ?? delimiter
}
