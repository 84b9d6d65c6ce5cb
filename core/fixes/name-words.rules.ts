/*
 * The words in names that are not names, and the names that show the order of a name. Lower case, without accents and full stops: as `normaliseWord`
 * returns them.
 */

import { wordSet } from './word-set.rules.ts'

/** In front of a name, in English, German, French, Spanish, Portuguese, Italian, Dutch, Scandinavian languages and the English of India and Malaysia. */
export const titles = wordSet(`
  mr mrs miss ms mx messrs master dr doctor drs prof professor sir dame lord lady hon honorable honourable rev revd reverend canon father sister
  brother rabbi imam judge justice captain capt major maj colonel col lt lieutenant sgt sergeant cpl corporal cmdr commander admiral general
  gen brigadier brig baron baroness viscount viscountess earl countess count rt very ven venerable pastor deacon cllr councillor senator
  herr frau fraulein hr fr freiherr freifrau graf grafin dipl-ing dipling ing mag diplkfm ra pd
  m mme mlle monsieur madame mademoiselle mm maitre abbe
  sr sra srta srs sres senor senora senorita don dona d dna dr dra lic licenciado arq
  snr exmo exma ilmo ilma eng enga arqa profa
  sig sigra signor signora signorina signore dott dottssa dottor dottore dottoressa avv geom rag on
  dhr mevr mw mej heer mevrouw meneer ir mr drs jhr ds profssa
  herrn hrn mgr msgr judr mudr mvdr mddr phdr rndr pharmdr thdr paeddr mga doc arch bc pani me hrh cdr lcdr sqn ldr flt
  shri shrimati smt km kum kumari kunwar sadhvi swami adv maulana maulvi pandit ustad sheikh shaikh atty engr dato datuk datin tuan encik puan haji hajah
  fru hra rva gov amb supt insp pfc adm radm vadm ltcol ltgen majgen
  sen rep mayor archbishop bishop archdeacon pr pere soeur sœur frere signa maga magin drin profin pfr pfarrer pfarrerin ks inz mec er sheikha sayin doutor
  doutora doctora profesor profesora professora professore professoressa professeur pan`)

/** Titles that are first names or letters as well: what follows decides. */
export const doubtfulTitles = wordSet(
  'me bc m d don earl major maj km kum kumari kunwar swami adv sheikh shaikh pandit haji adm judge justice dean baron count general mag ra on graf fr ds mm general ing sister brother master pd eng doc arch sen rep mayor bishop pr er pan mec ks',
)

/** Titles that are never part of a name, also behind it: "Smith, J Mrs". */
export const plainTitles = wordSet(`
  mr mrs miss ms mx messrs dr prof rev revd cllr sir herrn hrn frau fraulein mme mlle monsieur sra srta srs sres senora senorita
  sigra signora signorina dottssa dhr mevr mevrouw fru smt`)

/** Titles that a person has only one of: two of them are a couple whose "&" is lost. */
export const courtesyTitles = wordSet(`
  mr mrs miss ms mx messrs herr herrn hr hrn frau fraulein fr m mm mme mlle monsieur madame mademoiselle sr sra srta senor senora senorita
  sig sigra signor signora signorina dhr mevr mw mej heer mevrouw meneer fru`)

/** What follows "Dr." in Germany, Austria and Poland: "Dr. med.", "Dr. rer. nat.", "dr hab." */
export const doctorates = wordSet('med phil jur rer nat pol oec dent vet iur theol hc habil hab inz')

/** Titles of several people. */
export const pluralTitles = wordSet('messrs mm mmes sres srs sras srtas herren')

/** Ranks of the nobility inside a German name: since 1919 part of the surname. */
export const nobleRanks = wordSet('graf grafin freiherr freifrau')
/** Ranks that are also surnames or middle names: recognised only in front of a particle. */
export const nobleRanksBeforeParticle = wordSet('baron prinz prinzessin ritter edler furst furstin herzog')

/** Earls whose title is a surname: "Earl Spencer" is not a man called Earl. */
export const earldoms = wordSet('spencer grey mountbatten haig attlee jellicoe cadogan bathurst cowper kitchener')
/** In front of one first name, royalty. */
export const royalRanks = wordSet('prince princess king queen pope')

/** Titles that go with a first name: "Sister Mary" has no surname. */
export const titlesOfFirstNames = wordSet(
  'sir dame sister brother father pastor rabbi lady don dona abbe master pere frere soeur sœur',
)

export const generations = wordSet('jr jnr junior sr snr senior ii iii iv vi vii 2nd 3rd 4th fils filho neto sobrinho')

/** Letters after a name that are never a surname. */
export const letters = wordSet(`
  obe mbe cbe kbe dbe gbe bem kcb dcb gcb cb kcmg cmg kg kt om ch dso dfc gc vc qpm rvo cvo kcvo mvo rd esq esquire phd dphil edd dba md mb mbbs
  mbchb bch bchir frcs frcp frcgp frcvs mrcs mrcp mrcvs mrcgp frsa frs frse fba rn rgn lpn crna bsc bs msc ms mphil mres mba mpa mph msw meng beng
  bed med mfa bfa llb llm jd dds dmd dvm vmd bvsc dc od dpt psyd pharmd lcsw cpa cfa cfp cma cia clu chfc phr sphr pmp pe pmhnp np pac aia riba
  frics mrics arb rics fca aca acca fcca fcma acma fciob mciob ceng cmath cphys csci fiet miet mice fice imeche fimeche mcips fcips mcipd fcipd
  cpsych dl qc kc mp msp ms mep tds td sc jp ret retd usa usn usaf usmc ccim gri cae ches cissp cpcu ea faia fasla asla facs facp faan emt ot otr
  ao oam onz cnzm mnzm qso mdb mdl
  ra mag bsn msn dnp aprn arnp fnp bds bda mds dclinpsy ficb cics dip dipl mch osb sj op ofm cssr cssp osu rsm ibvm cp csj obl csc drsc dis`)

/** Letters that are surnames, first names or words as well: treated as letters only where something else indicates it. */
export const doubtfulLetters = wordSet(
  'ma do ba ms md dc om ch od ot ea np bs med sc ra rd kt mag op cb jd pe td mp dip mice fice arb ret gri vc gc',
)

/** The beginnings of surnames, in any position. */
export const particles = wordSet(`
  van von vom zum zur zu der den de del dela della delle dello degli dei di da dal dalla das do dos du des la le les lo ter ten tot op aan aus uit af av
  bin bint ibn abu abou el al ul ould st saint sainte san santa santo santi mac mc fitz ap ni nic o of onder in t tho thor vander vande vanden
  mhic ui ua y e i ben bar ab te wa`)

/** Particles that are words, initials or first names as well: they need another indication. */
export const doubtfulParticles = wordSet(
  'y e i o of in t op ben bar ab ap ni san mac al la lo des saint santo santa aan uit op ten del ua le du in do te wa',
)

/** Particles that an index moves behind the first name: "Vries, Jan de". Particles that are one word with the surname, such as "Mac", stay in front. */
export const trailingParticles = wordSet(`
  van von vom zum zur zu und der den de del dela della delle dello degli dei di da dal dalla das do dos du des la las le los lo ter ten op aan
  aus uit af av in t`)

/** What follows "O" in an Irish surname. */
export const irishStems = wordSet(`
  brien bryan connor conor connell neill neil neal sullivan reilly rielly donnell donoghue donohue keefe keeffe hara leary shea malley grady dwyer
  callaghan mahony mahoney rourke toole driscoll donovan dowd gorman hagan kane loughlin farrell flaherty flynn halloran hanlon hare kelly
  loughnane casey clery dempsey doran flanagan herlihy malley sullivan meara riordan rahilly regan sheehan byrne carroll cleary dea doherty donnelly duffy hea higgins leary moore rafferty`)

/** "And" between two people, in Spanish, Portuguese, Italian, Catalan, Dutch and, shortened, German. */
export const joiningWords = wordSet('y e i en u')

/** Surnames that come first where that is the custom: Vietnam, China, Korea, Hungary. */
export const leadingSurnames = wordSet(`
  nguyen tran pham huynh hoang phan vo dang bui duong ngo truong dinh luong trinh
  zhang wang liu chen yang huang zhao zhou xu zhu guo lin luo gao zheng liang xie tang cao deng xiao feng zeng peng pan dong yuan cai jiang
  yu du ye cheng wei lu su jiang ding shen ren yao tan liao fang shi jin qiu qin
  park choi jeong jung kang cho yoon chang lim shin kwon hwang ahn song hong
  nagy kovacs szabo horvath varga kiss molnar nemeth farkas balogh papp lakatos takacs juhasz meszaros simon racz fekete szilagyi torok`)

/** Leading surnames that are also first names or surnames elsewhere: in front of one other word they do not prove that the surname comes first. */
export const firstNamesElsewhere = wordSet('yang lin park simon kiss varga dong jin wei lu ye yuan fang')

/** Surnames of China in the spelling of the mainland that are too short to be unambiguous: what follows decides. */
export const pinyinSurnames = wordSet(
  'ma mao xi li wu sun hu he han yi bai meng kong long qian hao gu fan jia wan wen xue xiang gong tian yan',
)

/** Surnames of Hong Kong, Taiwan and Korea that are first names or surnames elsewhere: in front of two syllables they come first. */
export const syllableSurnames = wordSet(
  'wong chow chan lee kim ho lam leung cheung ng yip fung kwok tam tsang lau yeung mak pak park choi jung moon oh chiu chu tsai hsu lai',
)

/** Frequent surnames that are not first names: in front of a first name they may have come first, as in "Smith John". */
export const frequentSurnames = wordSet(`
  smith smyth brown jones williams wilson johnson davies robinson wright thompson thomson white green hall wood hill turner clarke patel baker
  roberts edwards hughes wilkinson shaw holmes mills palmer robertson watson richardson webb gibson stevens simpson obrien oneill osullivan byrne
  walsh doyle mccarthy gallagher doherty
  muller schmidt schneider fischer weber meyer becker schulz hoffmann schafer bauer richter schroder neumann zimmermann braun hofmann hartmann
  kruger dupont durand dubois moreau lefebvre lefevre fournier mercier rossi russo ferrari esposito bianchi colombo ricci conti
  jansen janssen bakker visser smit meijer mulder nowak kowalski kowalska wisniewski wojcik`)

/** A word in the form of the lists. */
export function normaliseWord(word: string): string {
  return word
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[.,’'ªº]/g, '')
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .replaceAll('ı', 'i')
}

/** "J", "J.", "J.R.R." and "J.-P." */
export const isInitial = (word: string) => /^\p{L}\.?$/u.test(word) || /^(?:\p{L}\.-?)+\p{L}?\.?$/u.test(word)

/** What Sikhs and Hindus have between the first name and the surname: "Mahendra Singh Dhoni". */
export const indianMiddleNames = wordSet('singh kaur kumar kumari lal chandra chand nath prasad devi bhai ben')

/** "Vladimirovich", "Petrovna": the father's name of Russia and Ukraine, behind the first name. */
export const isPatronymic = (plain: string) => /..(?:[oey]vich|[oey]vych|[oei]vna|inichna)$/.test(plain)
