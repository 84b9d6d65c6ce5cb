import { isKnownFirstName } from '../likely/first-names.rules.ts'
import { furtherGivenNames } from './further-given-names.rules.ts'
import { iberianGivenNames } from './iberian-names.rules.ts'
import { normaliseWord, particles } from './name-words.rules.ts'
import { rarerGivenNames } from './rarer-given-names.rules.ts'
import { wordSet } from './word-set.rules.ts'

/** Frequent given names in addition to those of core/likely. Some of them are surnames as well: see `alsoSurnames`. */
export const knownGivenNames = wordSet(`
  hans klaus jurgen wolfgang dieter helmut gunter gunther heinz horst uwe jorg stefan matthias andreas thorsten torsten ralf rolf jens sven kai
  ulrich rainer reinhard friedrich wilhelm ludwig johannes johann heinrich karl carsten markus tobias sebastian ingrid monika renate ursula helga
  gisela sabine petra birgit karin heike anja katja silke ute elke brigitte christa gabriele jutta angelika claudia susanne katrin kerstin
  jean pierre michel philippe alain bernard jacques francois christophe laurent patrice olivier thierry pascal frederic didier eric nicolas gerard
  yves marcel rene henri julien guillaume mathieu antoine benoit sylvie nathalie isabelle catherine martine francoise monique veronique christine
  valerie sandrine celine aurelie sophie chantal brigitte dominique nicole jacqueline genevieve elodie amelie
  giuseppe giovanni mario luigi francesco angelo vincenzo pietro salvatore carlo franco domenico bruno paolo michele giorgio aldo luciano roberto
  marco andrea stefano alessandro massimo claudio fabio maurizio matteo lorenzo davide riccardo simone giulia chiara francesca federica silvia elisa
  valentina paola giovanna lucia rosa angela antonella daniela barbara alessandra
  jan piet kees henk willem hendrik johan gerrit cornelis jeroen bart maarten joost pieter dirk wim hans ruud sjoerd anneke marijke ingrid annemarie
  margriet wilma sander marloes
  eamonn eamon seamus padraig ciaran declan diarmuid colm fergal aoife siobhan sinead grainne roisin maire brid nuala
  lars erik anders bjorn olof nils gunnar karin birgitta ingrid kristina
  mohammed mohamed muhammad ahmed ali hassan hussein omar yusuf ibrahim khalid abdul abdullah fatima aisha
  rajesh sanjay amit anil sunil vijay ravi suresh ramesh priya anita sunita deepak sandeep`)

/** First names that are also common surnames: as the last word of a name they do not show that the surname came first. */
export const alsoSurnames = wordSet(`
  james thomas martin george john david paul simon lewis scott ross stuart stewart graham allan allen alan craig bruce keith neil neal lee ray
  henry anthony arthur charles francis frank daniel samuel benjamin joseph jordan taylor kelly gordon russell leslie clifford howard stanley dean
  glenn grant kent todd tracy shannon ryan morgan owen evan evans lloyd vaughan percy nelson wallace warren wayne douglas duncan donald kim may
  rose grace joy hope faith dale gale gene oliver alexander andrew andrews matthew matthews peter peters mark marks luke abraham jacob isaac adam
  adams victor vincent bernard gerard gilbert albert alfred barry terry jerome clark curtis dennis elliott elliot harvey hugh hughes jack max
  miles mitchell noel patrick philip phillips raymond richard robert roberts roger rogers roy rudolph spencer stephen stephens steven stevens
  walter ward william williams tony michel laurent denis guy leon marcel moritz ernst otto franz friedrich werner hermann arnold ali ahmed hassan
  hussein khan omar mohammed mohamed ibrahim karim costa rosa santos bruno franco lorenzo vitale abdullah khalid yusuf herman ludwig conrad konrad
  lambert lorenz jonas kurt august basil benedict clement clayton clinton clifton blake brooke bradley byron calvin casey carey cary cody courtney
  curt dallas dana darwin dewey dexter doyle duane dwight ellis enda everett floyd forrest gregg homer horace hubert humphrey irving irwin jasper
  jesse jonah judson julius justus kelsey kirk lance lacey leighton levi lowell lyle luther mackenzie madison maynard melvin meredith merle milton
  moses murray nolan otis paige perry preston quincy randall randolph regina romeo roman roscoe salvador sebastian selma shelby sheldon sherman
  sterling stacey stacy thurman travis trent tyler tyrone troy violet wade wallis wendell wesley willis winston wyatt wilbur willard abel alban
  ambroise aubin auguste augustin barbe basile baptiste benoit bertrand blaise brice christophe claude colin constant cyprien didier emile etienne
  eugene fabre felix ferdinand fernand firmin flament florent francois gaillard gaspard gaston gauthier georges germain gervais gilles gregoire
  guillaume henri herve honore hugues jacques jean joachim joly jules julien leonard leroy louis lucas marc marchand marie marin mathieu matthieu
  maxime maurice nicolas octave olivier pascal perrin philippe pierre prosper raoul remy renaud renard robin roche roland samson serge simeon
  thibault thibaut thierry toussaint tristan urbain valentin vidal xavier yves adolf albrecht alfons anton arndt bernhard bernhardt brandt
  burkhard claus christian dietrich eberhard eckert eckhard engelbert erhard fritz georg gerhard gerhardt gottfried gottlieb gunther hagen hans
  hartmann hartwig heinrich heinz hinrich jakob jan jahn johann josef karl kaspar klaus korner kunz lothar lutz markus mathias matthias merten
  michaelis niklas nikolaus oswald paulus reinhard reinhold reinhardt richter rudolf ruprecht sander siegfried seifert stefan steffen stephan
  theodor till urban ulrich veit viktor volker wenzel wilhelm winkler wolf wolfram alberti amato angelo antonelli battista bernardi bernardo
  benedetto clemente colombo costantino cosimo damiano dante de diego donato egidio elia fausto felice ferdinando fiore fiorenza fiorenzo gallo
  gaspare gennaro gentile gioia giordano giuliano giuliani giustino graziano ignazio lamberto leonardo leone livio luciano marcello mariano marino
  martino massimo mauro moreno natale nicola nunzio orlando oliviero palma pace pellegrino piero pietro pio primo quinto raimondo renzo rinaldo
  rizzo romano rosario ruggiero ruggero sabino salvatore santo santino saverio serafino severino silvestro simone stefano valente valentino
  vincenzo vito viola kamal noor nour mansour malik mustafa rashid salem saleh said saeed hamid aziz bashir shah mahmoud mahmood nasser nasir
  khalil habib hakim kassem jaber amir anwar abbas akbar hashim haider imran raja ram rana raj singh prasad lal mohan chand chandra gopal krishna
  narayan prakash kishore nath das shankar sagar anand gautam bharat tariq younes rahim rahman raman usman sultan ismail yilmaz yildiz deniz
  erdogan osman kaya nowak marek pawel adamek janik pavel michal filip kristian thor friis lund berg dahl holm lind ulf rolf bror lage kaj dag
  mars olofsson ole niels jens finn tomas thorsen nagy balint balazs denes gabor imre kalman lukacs mate miklos pal sandor vilmos stein arne
  gunnar sigurd oscar chandler parker hunter carter mason logan reid rory blair cameron leith lindsay donat rene luc matte
  lawrence gregory maxwell garrett ashton avery earl gideon godfrey heath clifford fisher cooper beck novak anderson wagner wilson lindsey falk florian
  barnes brett frederick nicholas washington chester floor dick bill rich israel angel angeles victoria virginia christopher jose luis
  akhtar javed arif shahid farooq prabhu bhargava srinivasan subramanian natarajan krishnan raman babu abe balasubramanian venkatesan musa issa`)

/** Whether a word, or the first half of "Anne-Marie", is in a list of first names. */
export const isGivenName = (word: string) =>
  isCommonGivenName(word) ||
  wholeAndFirst(word).some((name) => furtherGivenNames.has(name) || rarerGivenNames.has(name))

/** Whether a word is in the list of frequent given names, or in that of Spain and Portugal. */
export const isCommonGivenName = (word: string) =>
  wholeAndFirst(word).some((name) => isKnownFirstName(name) || knownGivenNames.has(name) || iberianGivenNames.has(name))

function wholeAndFirst(word: string): string[] {
  const plain = normaliseWord(word)
  const [first = '', second] = plain.split('-')
  // "al-Assad", "Ben-Gurion": with a hyphen, Al and Ben are particles.
  return second !== undefined && particles.has(first) ? [plain] : [plain, first]
}
