import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type NameFields, withFullName, withNameFields } from './fix-names.rules.ts'

const name = (fields: Partial<NameFields>): NameFields => ({
  title: '',
  firstName: '',
  lastName: '',
  fullName: '',
  ...fields,
})

describe('making a full name', () => {
  it.each<[Partial<NameFields>, string | null]>([
    [{ title: 'Ms', firstName: 'Ann', lastName: 'Lee' }, 'Ms Ann Lee'],
    [{ firstName: 'Ann' }, 'Ann'],
    [{ title: 'Mr', lastName: 'Lee' }, 'Mr Lee'],
    [{ title: 'Mr' }, null],
    [{}, null],
    [{ firstName: 'Ann', fullName: 'A. Lee' }, null],
  ])('%j gives %j', (before, fullName) => {
    expect(withFullName(name(before))?.fullName ?? null).toBe(fullName)
  })
})

describe('splitting a full name', () => {
  it.each<[string, Partial<NameFields>]>([
    ['John Smith', { firstName: 'John', lastName: 'Smith' }],
    ['Mr. John Smith', { title: 'Mr.', firstName: 'John', lastName: 'Smith' }],
    ['The Hon. Mrs Ada Finch', { title: 'The Hon. Mrs', firstName: 'Ada', lastName: 'Finch' }],
    ['Smith, John', { firstName: 'John', lastName: 'Smith' }],
    ['Smith, Mr John', { title: 'Mr', firstName: 'John', lastName: 'Smith' }],
    ['van der Berg, Jan', { firstName: 'Jan', lastName: 'van der Berg' }],
    ['Garcia Lopez, Maria', { firstName: 'Maria', lastName: 'Garcia Lopez' }],
    ['Dr Jan van der Berg', { title: 'Dr', firstName: 'Jan', lastName: 'van der Berg' }],
    ['José Ortega y Gasset', { firstName: 'José', lastName: 'Ortega y Gasset' }],
    ['Mary-Jane Parker-Bowles', { firstName: 'Mary-Jane', lastName: 'Parker-Bowles' }],
    ['J. R. R. Tolkien', { firstName: 'J. R. R.', lastName: 'Tolkien' }],
    ['J Smith', { firstName: 'J', lastName: 'Smith' }],
    ['Mary Jane Watson', { firstName: 'Mary Jane', lastName: 'Watson' }],
    ['Sir John Smith OBE', { title: 'Sir', firstName: 'John', lastName: 'Smith' }],
    ['John Smith, Jr.', { firstName: 'John', lastName: 'Smith' }],
    ['Martin Luther King Jr', { firstName: 'Martin Luther', lastName: 'King' }],
    ['Mr Smith', { title: 'Mr', lastName: 'Smith' }],
    ['  Zoë   O’Brien ', { firstName: 'Zoë', lastName: 'O’Brien' }],
  ])('%s', (fullName, parts) => {
    expect(withNameFields(name({ fullName }))).toEqual(name({ fullName, ...parts }))
  })

  it.each([
    '',
    'Madonna',
    'Mr & Mrs Smith',
    'Ann and Bob Smith',
    'ann@example.org',
    'The Library',
    'Fenland Nurseries Ltd',
    'Smith, John, Jane',
    'Reader 12',
    'Dr',
    'OBE',
    'Anna Maria Sofia Wilhelmina Augusta Smith',
    'Smith,',
    ', John',
  ])('leaves %j alone', (fullName) => {
    expect(withNameFields(name({ fullName }))).toBeNull()
  })

  it('keeps existing names, and requires the full name to agree with them', () => {
    const known = { lastName: 'Garcia Lopez', fullName: 'Sra Maria Garcia Lopez' }
    expect(withNameFields(name(known))).toMatchObject({ firstName: 'Maria', lastName: 'Garcia Lopez' })
    expect(withNameFields(name({ firstName: 'mary jane', fullName: 'Mary Jane Watson' }))).toMatchObject({
      firstName: 'mary jane',
      lastName: 'Watson',
    })
    expect(withNameFields(name({ title: 'Dr', lastName: 'Smith', fullName: 'Mr John Smith' }))).toMatchObject({
      title: 'Dr',
      firstName: 'John',
    })
    expect(withNameFields(name({ lastName: 'Jones', fullName: 'John Smith' }))).toBeNull()
    expect(withNameFields(name({ lastName: 'Smith', fullName: 'SMITH, JOHN MR' }))).toMatchObject({
      title: 'Mr',
      firstName: 'John',
    })
    expect(withNameFields(name({ firstName: 'John', fullName: 'John Smith Mr' }))).toBeNull()
    expect(withNameFields(name({ lastName: 'Smith', fullName: 'Mr Smith' }))).toBeNull()
    expect(withNameFields(name({ firstName: 'Ann', lastName: 'Lee', fullName: 'Bob Ray' }))).toBeNull()
  })

  // First name, last name and full name, then the first and last name after the fix.
  it.each([
    // Initials and particles belong to neither part that is taken.
    ['John', '', 'Mr John F. Kennedy', 'John', 'Kennedy'],
    ['John', '', 'Kennedy, John F.', 'John', 'Kennedy'],
    ['John F.', '', 'John F. Kennedy', 'John F.', 'Kennedy'],
    ['', 'Kennedy', 'John F. Kennedy', 'John F.', 'Kennedy'],
    ['', 'Berg', 'Jan van der Berg', 'Jan', 'Berg'],
    ['', 'BERG', 'JAN VAN DER BERG', 'Jan', 'BERG'],
    ['', 'Berg', 'Berg, Jan van der', 'Jan', 'Berg'],
    ['', 'van der Berg', 'Jan van der Berg', 'Jan', 'van der Berg'],
    ['Jan', '', 'Jan van der Berg', 'Jan', 'van der Berg'],
    ['Ana Paula', '', 'Ana Paula dos Santos', 'Ana Paula', 'dos Santos'],
    ['', 'Gasset', 'José Ortega y Gasset', '', ''],
    ['', 'Vries', 'de Vries', '', ''],
    ['', 'Pacino', 'Al Pacino', 'Al', 'Pacino'],
    ['Sean', '', 'Sean O Casey', 'Sean', 'O Casey'],
    // The middle word may be a middle name or the first of two surnames.
    ['Mary', '', 'Mary Jane Watson', '', ''],
    ['Mary', '', 'Mary Ashcombe Watson', '', ''],
    ['María', '', 'María del Carmen Ruiz', '', ''],
    ['', 'Lopez', 'Garcia Lopez, Maria', '', ''],
    ['Maria', '', 'Garcia Lopez, Maria', 'Maria', 'Garcia Lopez'],
    ['', 'Watson', 'Mary Jane Watson', 'Mary Jane', 'Watson'],
    ['John', '', 'John James', 'John', 'James'],
    ['John', '', 'John P', '', ''],
    ['Juan', '', 'Juan García López', 'Juan', 'García López'],
    ['Ana', '', 'Ana Santiago Mora', 'Ana', 'Santiago Mora'],
    ['', 'Taylor Smith', 'John Taylor Smith', 'John', 'Taylor Smith'],
  ])(
    'with the first name %j and the last name %j, %s is split into %j and %j',
    (first, last, fullName, firstName, lastName) => {
      const after = withNameFields(name({ firstName: first, lastName: last, fullName }))
      expect([after?.firstName ?? '', after?.lastName ?? '']).toEqual([firstName, lastName])
    },
  )

  it('never changes existing names, never invents a word, and changes nothing the second time', () => {
    const word = fc.constantFrom(
      'Mr',
      'Ann',
      'van',
      'der',
      'Lee',
      'J.',
      'Smith',
      'OBE',
      'y',
      'O’Brien',
      ',',
      'Dr.',
      'Jr',
    )
    const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(' ').replaceAll(' ,', ','))
    const field = fc.constantFrom('', '', 'Ann', 'Lee', 'Smith')
    fc.assert(
      fc.property(
        fc.record({ title: fc.constantFrom('', 'Mr'), firstName: field, lastName: field, fullName: text }),
        (before) => {
          const after = withNameFields(before)
          if (!after) return
          expect(after.fullName).toBe(before.fullName)
          for (const part of ['title', 'firstName', 'lastName'] as const) {
            const givenWords = before.fullName.toLowerCase().split(/[\s,]+/)
            if (before[part] !== '') expect(after[part]).toBe(before[part])
            else
              for (const taken of after[part].split(' ').filter(Boolean))
                expect(givenWords).toContain(taken.toLowerCase())
          }
          const secondFix = withNameFields(after)
          if (after.firstName !== '' && after.lastName !== '') expect(secondFix).toBeNull()
        },
      ),
      { numRuns: 3000 },
    )
  })
})
