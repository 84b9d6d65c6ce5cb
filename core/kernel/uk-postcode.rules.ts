/** The 124 postcode areas of the United Kingdom and the Crown dependencies, and two that are not places: BF (forces) and BX. */
const areas = new Set(
  (
    'AB AL B BA BB BD BF BH BL BN BR BS BT BX CA CB CF CH CM CO CR CT CV CW DA DD DE DG DH DL DN DT DY E EC EH EN EX FK FY G GL GU ' +
    'GY HA HD HG HP HR HS HU HX IG IM IP IV JE KA KT KW KY L LA LD LE LL LN LS LU M ME MK ML N NE NG NN NP NR NW OL OX PA PE PH PL ' +
    'PO PR RG RH RM S SA SE SG SK SL SM SN SO SP SR SS ST SW SY TA TD TF TN TQ TR TS TW UB W WA WC WD WF WN WR WS WV YO ZE'
  ).split(' '),
)

/** The parts of a postcode that a mailing is sorted by. The letter of a district is separate: SW1A is district 1, subdistrict A. */
export interface UkPostCode {
  /** In upper case, with one space. */
  text: string
  area: string
  district: number
  subdistrict: string
  sector: number
  unit: string
}

const shape = /^([A-Z]{1,2})(\d{1,2})([A-HJKMNP-Y]?)(\d)([ABD-HJLNP-UW-Z]{2})$/
const forces = /^BFPO(?:CO)?(\d{1,4})$/

/**
 * Reads a British postcode in any case and spacing; null when it is not one. Forces numbers (BFPO 57) and Girobank's GIR 0AA,
 * which follow no rule, are valid, too.
 */
export function parseUkPostCode(text: string): UkPostCode | null {
  // An imported row parses the same one three times.
  if (text !== lastText) {
    lastResult = parse(text)
    lastText = text
  }
  return lastResult
}

let lastText = ''
let lastResult: UkPostCode | null = null

function parse(text: string): UkPostCode | null {
  const compacted = compact(text)
  const length = compacted.length
  if (length < 5 || length > 10) return null
  if (compacted === 'GIR0AA')
    return { text: 'GIR 0AA', area: 'GIR', district: 0, subdistrict: '', sector: 0, unit: 'AA' }
  const parts = shape.exec(compacted)
  if (parts) {
    const [, area = '', district = '', subdistrict = '', sector = '', unit = ''] = parts
    // A letter after the district only follows a single digit.
    if (!areas.has(area) || (subdistrict !== '' && district.length > 1)) return null
    return {
      text: `${compacted.slice(0, -3)} ${compacted.slice(-3)}`,
      area,
      district: Number(district),
      subdistrict,
      sector: Number(sector),
      unit,
    }
  }
  const number = forces.exec(compacted)?.[1]
  return number
    ? { text: `BFPO ${number}`, area: 'BFPO', district: Number(number), subdistrict: '', sector: 0, unit: '' }
    : null
}

function compact(text: string): string {
  const upper = text.toUpperCase()
  for (let index = 0; index < upper.length; index++) {
    const code = upper.charCodeAt(index)
    if (!((code >= 65 && code <= 90) || (code >= 48 && code <= 57))) return upper.replaceAll(/[^A-Z0-9]/g, '')
  }
  return upper
}
