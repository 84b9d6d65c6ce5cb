import { describe, expect, it } from 'vitest'
import { parseName } from './parse-name.rules.ts'

/** Full name, then title, first and last name. */
// biome-ignore format: a table
const people: readonly (readonly [string, string, string, string])[] = [
  // Initials are not particles.
  ['John E Smith', '', 'John E', 'Smith'],
  ['Mary Y. Jones', '', 'Mary Y.', 'Jones'],
  ['JOHN Y SMITH', '', 'John Y', 'Smith'],
  ['John O Smith', '', 'John O', 'Smith'],
  ['J. R. R. Tolkien', '', 'J. R. R.', 'Tolkien'],
  ['J.R.R. Tolkien', '', 'J.R.R.', 'Tolkien'],
  ['JAMES J MA', '', 'James J', 'Ma'],
  // What follows a name.
  ['RODRIGUEZ JR, FRANCISCO', '', 'Francisco', 'Rodriguez'],
  ['Doe, John III', '', 'John', 'Doe'],
  ['John Smith, Ph. D.', '', 'John', 'Smith'],
  ['JOHN SMITH DDS', '', 'John', 'Smith'],
  ['JOHN SMITH,JR.', '', 'John', 'Smith'],
  ['John Smith , Jr', '', 'John', 'Smith'],
  ['Smith Jr., John Paul', '', 'John Paul', 'Smith'],
  ['Smith, John, M.D.', '', 'John', 'Smith'],
  ['Kevin O\'Neal, MD', '', 'Kevin', 'O\'Neal'],
  ['Sir John Smith OBE', 'Sir', 'John', 'Smith'],
  ['Prof. dr. ir. Pieter Jansen MSc', 'Prof. dr. ir.', 'Pieter', 'Jansen'],
  ['John Smith MA', '', 'John', 'Smith'],
  ['James “Mike” Dyer Sr.', '', 'James', 'Dyer'],
  ['Anna (Nan) Lee', '', 'Anna', 'Lee'],
  // Titles in six languages and English.
  ['The Rt Hon Sir Keir Mason KC MP', 'The Rt Hon Sir', 'Keir', 'Mason'],
  ['Major John Smith', 'Major', 'John', 'Smith'],
  ['Herr Prof. Dr. Hans Müller', 'Herr Prof. Dr.', 'Hans', 'Müller'],
  ['Frau Dr. Anna-Lena Schmidt', 'Frau Dr.', 'Anna-Lena', 'Schmidt'],
  ['Mme Claire Dupont', 'Mme', 'Claire', 'Dupont'],
  ['M. Jean Dupont', 'M.', 'Jean', 'Dupont'],
  ['Sr. D. Juan García Pérez', 'Sr. D.', 'Juan', 'García Pérez'],
  ['Dña. Carmen Ruiz', 'Dña.', 'Carmen', 'Ruiz'],
  ['Exma. Sra. Beatriz Nunes', 'Exma. Sra.', 'Beatriz', 'Nunes'],
  ['Sig.ra Maria Rossi', 'Sig.ra', 'Maria', 'Rossi'],
  ['Dott.ssa Chiara Bianchi', 'Dott.ssa', 'Chiara', 'Bianchi'],
  ['Mevr. drs. A.M. de Vries', 'Mevr. drs.', 'A.M.', 'de Vries'],
  ['Dhr. J. van \'t Hof', 'Dhr.', 'J.', 'van \'t Hof'],
  ['Mr Smith', 'Mr', '', 'Smith'],
  // Names that are titles elsewhere.
  ['Earl Jones', '', 'Earl', 'Jones'],
  ['Don Johnson', '', 'Don', 'Johnson'],
  // Two surnames.
  ['Juan Carlos García López', '', 'Juan Carlos', 'García López'],
  ['Carlos Ruiz Zafón', '', 'Carlos', 'Ruiz Zafón'],
  ['María José Pérez', '', 'María José', 'Pérez'],
  ['María del Carmen García López', '', 'María del Carmen', 'García López'],
  ['José Ortega y Gasset', '', 'José', 'Ortega y Gasset'],
  ['Ana Paula Silva dos Santos', '', 'Ana Paula', 'Silva dos Santos'],
  ['Garcia Lopez, Maria', '', 'Maria', 'Garcia Lopez'],
  // Particles.
  ['Dr Jan van der Berg', 'Dr', 'Jan', 'van der Berg'],
  ['van der Berg, Jan', '', 'Jan', 'van der Berg'],
  ['Linda C. Van Dyke', '', 'Linda C.', 'Van Dyke'],
  ['Freiherr Karl von und zu Stein', 'Freiherr', 'Karl', 'von und zu Stein'],
  ['Oscar de la Hoya', '', 'Oscar', 'de la Hoya'],
  ['Ahmed bin Rashid al-Maktoum', '', 'Ahmed', 'bin Rashid al-Maktoum'],
  ['Muhammad ibn Saud', '', 'Muhammad', 'ibn Saud'],
  ['Seán Ó Briain', '', 'Seán', 'Ó Briain'],
  ['John O Brien', '', 'John', 'O Brien'],
  ['Ivo St John Smith', '', 'Ivo', 'St John Smith'],
  // Case, where there is none.
  ['MCDONALD, RONALD', '', 'Ronald', 'McDonald'],
  ['o\'brien, patrick', '', 'Patrick', 'O\'Brien'],
  ['JAN VAN DER BERG', '', 'Jan', 'van der Berg'],
  ['DANNY DEVITO', '', 'Danny', 'DeVito'],
  ['FLORA MACDONALD', '', 'Flora', 'MacDonald'],
  ['jean-luc picard', '', 'Jean-Luc', 'Picard'],
  ['DR ANNE-MARIE SMITH-JONES', 'Dr', 'Anne-Marie', 'Smith-Jones'],
  ['hussain al robeh', '', 'Hussain', 'al Robeh'],
  // Capitals for the surname only.
  ['DUPONT Jean', '', 'Jean', 'Dupont'],
  ['Marie-Claire LE GALL', '', 'Marie-Claire', 'Le Gall'],
  // Words of firms that are surnames.
  ['Charlotte Church', '', 'Charlotte', 'Church'],
  ['Mr Banks', 'Mr', '', 'Banks'],
]

describe('parsing a name', () => {
  it.each(people)('%s', (fullName, title, firstName, lastName) => {
    expect(parseName(fullName)).toEqual({ title, firstName, lastName })
  })

  it.each([
    'Douglass LLC',
    'Smith & Sons',
    'The Smith Family',
    'Mr & Mrs Smith',
    'Ann and Bob Smith',
    'Herr und Frau Schmidt',
    'M. et Mme Dupont',
    'Bibliothek Köln',
    'University of Leeds',
    'St John’s Church',
    'Accounts Payable',
    'The Occupier',
    'BBC Worldwide',
    'John Smith c/o Jane',
    'ann@example.org',
    'Madonna',
    'Sister Mary',
    'Major Smith',
    'M. Dupont',
    'John P',
    'Smith J',
    'John, Smith',
    'Smith,',
    'Smith, MA',
    'Nguyen Van Anh',
    'Zhang Wei',
    'Kim Jong Un',
    'Nagy János',
    'LE GALL YANN',
    'Laura Garcia Smith',
    'John Garcia Lopez',
    'JOHN SMITH MA',
    '山田太郎',
    '김민준',
    'Иван Петров',
    'محمد علي',
    '',
    ' , ',
  ])('leaves %j alone', (fullName) => expect(parseName(fullName)).toBeNull())
})
