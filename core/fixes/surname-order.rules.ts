import { alsoSurnames, isGivenName } from './given-names.rules.ts'
import { iberianSurnames } from './iberian-names.rules.ts'
import { frequentSurnames, leadingSurnames, syllableSurnames } from './name-words.rules.ts'
import { wordSet } from './word-set.rules.ts'

/** Further frequent surnames, of more countries than `frequentSurnames` has. Those that are given names as well do not count: see `isOnlySurname`. */
const moreSurnames = wordSet(`
  adams bailey barker bates bennett berry bishop booth burke burns butler carr chapman coleman collins cook cox cunningham dawson dixon ellison ferguson
  fletcher ford foster fowler freeman gardner gibbs gould griffin griffiths hamilton hammond hansen harding harper harris harrison hart hawkins higgins
  hopkins howell hudson hunt hutchinson jackson jenkins jennings kaufman kennedy king knight larson lawson lynch macdonald mcdonald marshall moore
  morris morrison murphy newman nicholson norris osborne owens parsons payne pearce pearson perkins pope porter potter powell price pritchard reed rees
  reynolds rice robson rowe saunders shepherd simmons skinner snyder steele stone sutton tate todd tucker underwood walters warner watkins weaver wells
  wheeler whitehead williamson willis winter woods yates young
  fitzpatrick fitzgerald kavanagh keane maguire mcgrath mckenna mcmahon molloy moran mulligan nolan quinn redmond sheridan sweeney
  bergmann bohm busch engel fuchs graf gross haas hahn heinemann kaiser keller klein koch kohler konig kraus kuhn lange lehmann maier mayer
  meier moller pfeiffer pohl roth sauer scherer schmitt schreiber schubert schulte schumacher schuster schwarz seidel sommer stark stein vogel vogt voigt
  voss weiss werner wolff ziegler zimmer
  andersson bergstrom lindqvist nystrom pettersson jensen larsen olsen pedersen sorensen kristensen petersen rasmussen madsen
  bos brouwer dekker dijkstra hendriks hoekstra kok kuipers maas peeters postma prins schouten timmermans veenstra verhoeven vermeulen willems wouters
  blanc bonnet boucher bouvier caron chevalier girard lemaire lemoine leroux mallet masson maurel meunier morel payet perret petit picard poirier
  prevost rousseau roussel roux tessier vasseur
  barbieri caputo caruso cattaneo coppola fabbri farina ferrara ferraro fontana gatti giordano grassi greco guerra longo lombardi lombardo mancini
  mariani marchetti martini messina monti morelli negri parisi pellegrini rinaldi riva rizzi rota ruggeri sala sanna sartori serra sorrentino testa
  valentini villa vitali
  wozniak dabrowski kozlowski mazur kaczmarek zajac krol wieczorek jablonski pawlak dudek
  svoboda novotny dvorak cerny prochazka kucera vesely horak nemec pokorny kral ruzicka benes fiala sedlak kolar dolezal zeman
  popa popescu ionescu dumitrescu stoica rusu munteanu petrov dimitrov ivanov ivanova horvat babic
  toth biro bodnar fodor gal hegedus kocsis kelemen lengyel olah orosz pinter sipos somogyi szalai vass vincze
  demir sahin celik yildirim ozturk aydin arslan dogan kilic aslan cetin kurt polat korkmaz
  singh kaur sharma gupta shah reddy rao nair iyer das banerjee chatterjee mukherjee ghosh bose chakraborty chowdhury agarwal agrawal jain mehta desai
  joshi kulkarni patil deshpande verma mishra pandey tiwari yadav kapoor malhotra chopra bhat kumar pillai menon saha roychowdhury
  islam hossain rahman ahmad malik sheikh siddiqui qureshi chaudhry butt bhatti mirza
  sato suzuki takahashi tanaka watanabe ito yoshida yamada sasaki inoue kimura hayashi saito abe ikeda maeda fujita okada goto endo aoki sakai kondo
  ishii fukuda ota ono kato
  diop ndiaye diallo traore okafor okonkwo mensah owusu mwangi
  boyd barrett carroll brennan dunne hayes mccann mccabe fitzmaurice bolger
  levy cohen mizrahi peretz katz friedman goldberg shapiro`)

/** Endings of surnames that no given name has, except given names in the lists. */
const surnameForm =
  /..(?:ini|elli|etti|oni|ucci|uzzi|azzi|ozzi|ski|ska|sky|cki|cka|czyk|wicz|mann|berg|stein|sson|ssen|nsen|rsen|tson|dson|inson|ovic|evic|enko|chuk|opoulos|oulou|idis|iadis|akis|[aoiuey]nen|shvili|adze|auskas|escu|eanu|[dklmnrst]ov|[dklmnrst]ova|bauer|meier|meyer|maier|hofer|huber|baum|feld|haus|strom|quist|qvist|gren|stedt|lund|strand|gaard|stra|huis|veld|worth|ington|field|yama|moto|kawa|gawa|mura|zawa|uchi|shita|jima|bayashi)$/

/** A word that is a surname and no given name. */
const isOnlySurname = (word: string) =>
  !isGivenName(word) &&
  (moreSurnames.has(word) ||
    frequentSurnames.has(word) ||
    leadingSurnames.has(word) ||
    iberianSurnames.has(word) ||
    surnameForm.test(word))

const isOnlyGivenName = (word: string) => isGivenName(word) && !alsoSurnames.has(word) && !iberianSurnames.has(word)

/**
 * Whether a name of two words, as `normaliseWord` returns them, may have the surname first: "Smith John", "Romano Andrea", "Kobayashi Yasuyuki". Only the
 * words can tell; where they do not, the usual order is assumed.
 */
export function mayHaveSurnameFirst(first: string, second: string): boolean {
  // "Hyosun Kim".
  if (isOnlySurname(second) || syllableSurnames.has(second)) return false
  // In "Horak John" the first word is in no list of given names and the second is; in "Parker Anna" both are, and only the first is a surname too.
  if (isGivenName(second)) return !isGivenName(first) || (!isOnlyGivenName(first) && isOnlyGivenName(second))
  return isOnlySurname(first)
}

/** Whether a longer name, whose other words are all given names, may have the surname first: "Ferrini Maria Elena", "Martin Anna Sofia". */
export function mayHaveSurnameBeforeGivenNames(first: string, others: readonly string[]): boolean {
  return (
    others.every(isGivenName) && (!isGivenName(first) || (!isOnlyGivenName(first) && others.every(isOnlyGivenName)))
  )
}
