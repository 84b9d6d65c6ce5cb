import { isKnownFirstName } from '../likely/first-names.rules.ts'

/*
 * The words in names that are not names, and the names that show the order of a name. Lower case, without accents and full stops: as `bare`
 * returns them.
 */

const set = (words: string) => new Set(words.trim().split(/\s+/))

/** In front of a name, in English, German, French, Spanish, Portuguese, Italian and Dutch. */
export const titles = set(`
  mr mrs miss ms mx messrs master dr doctor drs prof professor sir dame lord lady hon honorable honourable rev revd reverend canon father sister
  brother rabbi imam judge justice captain capt major maj colonel col lt lieutenant sgt sergeant cpl corporal cmdr commander admiral general
  gen brigadier brig baron baroness viscount viscountess earl countess count rt very ven venerable pastor deacon cllr councillor senator
  herr frau fraulein hr fr freiherr freifrau graf grafin dipl-ing dipling ing mag diplkfm ra pd
  m mme mlle monsieur madame mademoiselle mm maitre abbe
  sr sra srta srs sres senor senora senorita don dona d dna dr dra lic licenciado arq
  snr exmo exma ilmo ilma eng enga arqa profa
  sig sigra signor signora signorina signore dott dottssa dottor dottore dottoressa avv geom rag on
  dhr mevr mw mej heer mevrouw meneer ir mr drs jhr ds
  herrn hrn mgr msgr judr mudr bc pani me hrh cdr lcdr sqn ldr flt`)

/** Titles that are first names or letters as well: what follows decides. */
export const doubtfulTitles = set(
  'me bc m d don earl major judge justice dean baron count general mag ra on graf fr ds mm general ing sister brother master pd eng',
)

/** What follows "Dr." in Germany and Austria: "Dr. med.", "Dr. rer. nat." */
export const doctorates = set('med phil jur rer nat pol oec dent vet iur theol hc habil')

/** Ranks of the nobility inside a German name: since 1919 part of the surname. */
export const nobleRanks = set('graf grafin freiherr freifrau')
/** Those that are also surnames or middle names: only in front of a particle. */
export const nobleRanksBeforeParticle = set('baron prinz prinzessin ritter edler furst furstin herzog')

/** Earls whose title is a surname: "Earl Spencer" is not a man called Earl. */
export const earldoms = set('spencer grey mountbatten haig attlee jellicoe cadogan bathurst cowper kitchener')
/** In front of one first name, royalty. */
export const royalRanks = set('prince princess king queen pope')

/** Titles that go with a first name: "Sister Mary" has no surname. */
export const titlesOfFirstNames = set('sir dame sister brother father pastor rabbi lady don dona abbe master')

export const generations = set('jr jnr junior sr snr senior ii iii iv vi vii 2nd 3rd 4th fils filho neto sobrinho')

/** Letters after a name that are never a surname. */
export const letters = set(`
  obe mbe cbe kbe dbe gbe bem kcb dcb gcb cb kcmg cmg kg kt om ch dso dfc gc vc qpm rvo cvo kcvo mvo rd esq esquire phd dphil edd dba md mb mbbs
  mbchb bch bchir frcs frcp frcgp frcvs mrcs mrcp mrcvs mrcgp frsa frs frse fba rn rgn lpn crna bsc bs msc ms mphil mres mba mpa mph msw meng beng
  bed med mfa bfa llb llm jd dds dmd dvm vmd bvsc dc od dpt psyd pharmd lcsw cpa cfa cfp cma cia clu chfc phr sphr pmp pe pmhnp np pac aia riba
  frics mrics arb rics fca aca acca fcca fcma acma fciob mciob ceng cmath cphys csci fiet miet mice fice imeche fimeche mcips fcips mcipd fcipd
  cpsych dl qc kc mp msp ms mep tds td sc jp ret retd usa usn usaf usmc ccim gri cae ches cissp cpcu ea faia fasla asla facs facp faan emt ot otr
  ra mag bsn msn dnp aprn arnp fnp bds bda mds dclinpsy ficb cics dip dipl mch osb sj op ofm cssr osu rsm ibvm obl`)

/** Letters that are surnames, first names or words as well: treated as letters only where something else indicates it. */
export const doubtfulLetters = set(
  'ma do ba ms md dc om ch od ot ea np bs med sc ra rd kt mag op cb jd pe td mp dip mice fice arb ret gri vc gc',
)

/** The beginnings of surnames, in any position. */
export const particles = set(`
  van von vom zum zur zu der den de del dela della delle dello degli dei di da dal dalla das do dos du des la le les lo ter ten tot op aan aus uit af av
  bin bint ibn abu abou el al ul ould st saint sainte san santa santo santi mac mc fitz ap ni nic o of onder in t tho thor vander vande vanden
  mhic ui ua y e i ben bar ab`)

/** Particles that are words, initials or first names as well: they need another indication. */
export const doubtfulParticles = set(
  'y e i o of in t op ben bar ab ap ni san mac al la lo des saint santo santa aan uit op ten del ua le du in do',
)

/** Particles that an index moves behind the first name, "Vries, Jan de": those of one word with the surname, as "Mac", stay in front. */
export const trailingParticles = set(`
  van von vom zum zur zu und der den de del dela della delle dello degli dei di da dal dalla das do dos du des la las le los lo ter ten op aan
  aus uit af av in t`)

/** What follows "O" in an Irish surname. */
export const irishStems = set(`
  brien bryan connor conor connell neill neil neal sullivan reilly rielly donnell donoghue donohue keefe keeffe hara leary shea malley grady dwyer
  callaghan mahony mahoney rourke toole driscoll donovan dowd gorman hagan kane loughlin farrell flaherty flynn halloran hanlon hare kelly
  loughnane casey clery dempsey doran flanagan herlihy malley sullivan meara riordan rahilly regan sheehan byrne carroll cleary dea doherty donnelly duffy hea higgins leary moore rafferty`)

/** A name with one of these belongs to an office, a firm, a household or to no person. */
export const offices = set(`
  ltd limited plc llp llc lp inc incorporated corp corporation co company cic pty gmbh ag kg ohg ev mbh bv nv vof sa sas sarl srl spa sl slu lda ltda
  eirl oy ab as aps sro kft zrt doo pte pvt holdings holding
  library libraries school schools university universitat universite universidad universidade universita college colegio ecole schule akademie academy
  hospital hospitals clinic klinik society gesellschaft club verein association associazione asociacion associacao committee council
  church kirche eglise iglesia parish diocese trust trustees foundation stiftung fondation fundacion nurseries nursery
  dept department abteilung office officer centre center zentrum institute institut instituto group groupe gruppe partners partnership services service
  studio studios gallery galerie museum musee museo bibliothek bibliotheque biblioteca hotel restaurant pub inn farm farms garage shop store
  stores supplies solutions systems consulting consultants consultancy management international national global enterprises industries technologies
  technology media press publishing publishers publications magazine books bookshop news agency agentur agence agencia bureau bank insurance
  investments properties property estates estate builders construction engineering electrical motors cars transport logistics foods catering
  bakery pharmacy surgery practice dental veterinary solicitors accountants accounts architects associates chambers law legal government ministry
  ministere ministerio embassy botschaft army navy police fire borough county city town village stadt gemeinde commune ayuntamiento comune
  the and subscriptions subscription subscriber reader readers customer occupier resident householder household family familie famille familia
  famiglia fam gezin eheleute ehepaar echtpaar epoux coniugi matrimonio geschwister gebruder gebroeders gebr fratelli flli hermanos hnos erben erven herederos heirs
  manager director secretary treasurer editor librarian headteacher head bursar clerk chairman president chief owner tenant
  unknown anonymous test nobody none na tba various sales marketing reception admin administrator administration purchasing purchase ledger
  room floor unit box attn attention care executors executor late deceased user username null undefined organisation organization federation union
  league team fc cc rfc crew cooperative coop charity fund project network forum alliance board authority commission service home house
  banking banco banque banca sparkasse volksbank raiffeisenbank savings credit finance financial assurance assurances assicurazioni
  versicherung versicherungen verzekeringen seguros mutual mutuelle mail airways airlines airline rail railway railways water electricity
  energy telecom broadband parcel courier couriers freight shipping taxis cabs coaches travel tours holidays leisure
  hotels hostel motel restaurants cafe cafeteria bistro bistrot brasserie brasseries pizzeria trattoria osteria ristorante restaurante albergo auberge
  hostal gasthof gasthaus gaststatte wirtshaus pension camping tavern brewery breweries brauerei weingut winery vineyard vineyards bodega
  bodegas cantina supermarket supermarkets supermarche supermercado supermercati superstore warehouse wholesale retail boutique grocers
  newsagent newsagents stationers jewellers florist florists fleuriste opticians chemists butchers plumbing plumbers heating roofing flooring joinery
  carpentry scaffolding decorators cleaners cleaning laundry printers printing graphics design designs photography hairdressers coiffure friseur
  friseursalon furniture interiors kitchens bathrooms tyres autohaus werkstatt schreinerei tischlerei druckerei drukkerij imprimerie imprenta tipografia
  gym fitness fit golf cricket rugby football tennis athletic cinema theatre theater orchestra choir festival
  apotheke apotheek pharmacie pharmacies farmacia buchhandlung buchladen boekhandel boekwinkel librairie libreria livraria verlag uitgeverij
  editions editorial edizioni editrice redaktion backerei bakkerij boulangerie patisserie konditorei pasticceria pasteleria panificio
  panaderia padaria metzgerei fleischerei slagerij boucherie charcuterie carniceria gartnerei kwekerij epicerie talleres tienda
  praxis praktijk zahnarztpraxis arztpraxis tandartspraktijk huisartsenpraktijk klinikum krankenhaus ziekenhuis hopital ospedale clinique clinica
  hospice nursing altenheim seniorenheim pflegeheim kanzlei rechtsanwalte steuerberater steuerberatung advocaten notaris notariskantoor cabinet
  asesoria gestoria inmobiliaria immobilien immobiliere makelaardij hausverwaltung verwaltung
  amt rathaus landratsamt stadtwerke feuerwehr polizei ministerium ministerie provincie mairie prefecture ayto diputacion
  stichting vereniging verband verbond syndicat sindicato comite cooperativa societe societa sociedad ets etablissements entreprise empresa impresa
  azienda ditta firma bedrijf bouwbedrijf construcciones transportes
  istituto instituut lycee gymnasium grundschule realschule hochschule basisschool hogeschool kindergarten escuela escola scuola universiteit
  rectory vicarage parsonage presbytery deanery priory cathedral catedral cattedrale minster monastery convent kloster monasterio
  convento pfarramt pfarrei kirchengemeinde parochie paroisse parroquia parrocchia paroquia igreja chateau domaine mansion bungalow
  blumen getranke sanitar elektro zahnarzt reisen moden mobel optik kiosk trafik kapper kapsalon slijterij drogist opticien traiteur tabac presse
  coiffeur edicola alimentari ferramenta ottica parrucchiere abbigliamento macelleria joyeria optica estanco peluqueria quiosco talho florista
  homes cottage maison casa haus`)

/** Endings of German and Dutch compounds for a trade or an institution: "Weinhandlung", "Autobedrijf". Händel and Dienst are surnames. */
export const tradeEndings =
  /.{3}(?:erei|erij|bedrijf|handlung|handel|betrieb|geschaft|werkstatt|praxis|praktijk|kanzlei|kantoor|schule|school|gymnasium|verein|vereniging|verband|verlag|gesellschaft|bibliothek|bibliotheek|zentrum|centrum|dienst|stelle|klinik|versicherung|verwaltung|ministerium)$/

/** Endings of a shop in front of its name: "Ferretería", "Quincaillerie"; "Valeria" and "Valerie" are shorter. */
export const shopEndings = /.{4}eri[ae]$/

/** Those that are surnames after an initial as well: "J. Cottage". */
export const surnamePlaces = set('church bank house garage homes cottage maison casa haus water minster kloster')

/** Adjectives in front of a firm, an institution or a house; as a last word they are surnames. */
export const officeAdjectives = set('royal old british')

/** First words of house names that are first names too, and what follows them: together they are a house. */
export const nameplateWords = set(
  'holly rose ivy heather hazel laurel willow primrose lavender jasmine daisy lily olive myrtle cherry poppy fern rowan',
)
export const houseWords = set('house cottage lodge villa farm manor grange inn barn')

/** "And" between two people, in Spanish, Portuguese, Italian, Dutch and, shortened, German. */
export const joiningWords = set('y e i en u')

/** Offices that are surnames as well: "Charlotte Church". */
export const surnameOffices = set(
  'church bank house head farm garage press law fire chambers city town store inn clerk bishop home room ab as co sa ag book books care late bursar box shop cars na test chief head tenant unit fund user co',
)

/** Given names of Spain, Portugal and the countries that share their languages. */
export const iberianGivenNames = set(`
  jose juan antonio manuel francisco luis carlos javier miguel angel rafael pedro jesus alejandro fernando pablo sergio alberto jorge alvaro ramon
  adrian diego andres enrique raul vicente ivan joaquin ruben oscar ricardo eduardo santiago salvador jaime emilio ignacio julio guillermo roberto
  cristian mateo lucas nicolas gabriel rodrigo felipe tomas esteban arturo gonzalo hugo marcos mariano gerardo gustavo hector ernesto federico
  alfonso alfredo agustin armando benito bernardo domingo efrain eugenio fabian fidel gilberto guadalupe ismael leonardo lorenzo marcelo
  mauricio octavio orlando patricio ramiro rigoberto rodolfo rogelio ruben saul simon ulises victor xavier
  maria carmen ana isabel laura cristina marta lucia dolores pilar elena teresa rosa paula mercedes raquel sara rosario juana manuela beatriz
  angela julia irene silvia andrea patricia concepcion montserrat encarnacion monica alicia sandra marina susana margarita yolanda natalia rocio
  sofia claudia eva ines nuria alba veronica lorena gloria amparo esperanza consuelo catalina josefa antonia francisca luisa victoria adriana
  alejandra carolina daniela esther fernanda gabriela guadalupe leticia luz magdalena mariana miriam norma olga rebeca soledad valentina ximena
  joao paulo antonio rui pedro tiago nuno bruno joaquim sergio vasco duarte goncalo afonso andre filipe henrique jorge luis mario miguel
  rafael ricardo rodrigo tomas vitor marcos mateus lucas gustavo leandro thiago vinicius caio renato fabio marcelo
  ana maria mariana catarina filipa joana marta rita sofia teresa helena leonor matilde carolina beatriz ines raquel sonia vera fernanda juliana
  camila larissa leticia aline bruna tatiana luciana simone vanessa cristiane lurdes conceicao fatima graca margarida isabel eduarda danilo helio fabricio fabricia norberto gregorio emilia alicia celia anita elsa elisa
  josefina cecilia amalia claudio cristobal martin valeria mateo melany ivanna yago jordi carles lola jimena micaela rosalia sancho jacobo guillermina marilu maricarmen dulce alondra carminho filipa matias melania paola regina renata ximena caridad tadeo matilde moises andres lourenco benjamim martim luana`)

/** Surnames of the same countries, where people usually have two. */
export const iberianSurnames = set(`
  garcia rodriguez gonzalez fernandez lopez martinez sanchez perez gomez martin jimenez ruiz hernandez diaz moreno munoz alvarez romero alonso gutierrez
  navarro torres dominguez vazquez ramos gil ramirez serrano blanco molina morales suarez ortega delgado castro ortiz rubio marin sanz nunez
  iglesias medina garrido cortes castillo santos lozano guerrero cano prieto mendez cruz calvo gallego vidal leon marquez herrera pena flores
  cabrera campos vega fuentes carrasco diez caballero reyes nieto aguilar pascual santana herrero lorenzo montero hidalgo gimenez ibanez ferrer
  duran santiago benitez mora vicente vargas arias carmona crespo roman pastor soto saez velasco moya soler parra esteban bravo gallardo rojas
  silva rivera rivas salazar mendoza guzman espinoza espinosa contreras estrada avila acosta valdez valdes padilla maldonado sandoval miranda rios
  figueroa juarez mejia chavez salinas trevino villarreal escobar cervantes cardenas zamora ochoa cisneros barrera robles trujillo pacheco
  orozco velazquez zuniga quintero camacho villanueva lara meza bautista galvan ayala valencia solis arroyo montoya peralta macias rosales
  silva santos ferreira pereira oliveira costa rodrigues martins jesus sousa fernandes goncalves gomes lopes marques alves almeida ribeiro pinto
  carvalho teixeira moreira correia mendes nunes soares vieira monteiro cardoso rocha neves coelho cruz cunha pires ramos reis simoes antunes
  matos fonseca machado araujo barbosa tavares lourenco castro figueiredo azevedo freitas magalhaes henriques lima guerreiro batista pinheiro
  faria miranda barros morais nogueira esteves anjos baptista campos mota andrade brito sa nascimento leite abreu borges melo vaz pinho vicente
  gaspar assuncao maia moura valente carneiro garcia souza braga franco macedo moraes saraiva albuquerque xavier melo`)

/** After "Maria", "José", "Ana" and "Juan" these belong to the given name: "María del Carmen". */
export const devotions = set(
  'carmen pilar mar rosario rocio angeles dolores lourdes jesus dios luz conceicao graca fatima gracia mercedes valle pino coro sol milagro milagros nieves consuelo socorro guadalupe',
)
export const devoted = set('maria jose juan ana rosa')

/** Surnames that come first where that is the custom: Vietnam, China, Korea, Hungary. */
export const leadingSurnames = set(`
  nguyen tran pham huynh hoang phan vo dang bui duong ngo truong dinh luong trinh
  zhang wang liu chen yang huang zhao zhou xu zhu guo lin luo gao zheng liang xie tang cao deng xiao feng zeng peng pan dong yuan cai jiang
  yu du ye cheng wei lu su jiang ding shen ren yao tan liao fang shi jin qiu qin
  park choi jeong jung kang cho yoon chang lim shin kwon hwang ahn song hong
  nagy kovacs szabo horvath varga kiss molnar nemeth farkas balogh papp lakatos takacs juhasz meszaros simon racz fekete szilagyi torok`)

/** Those of them that are also first names or surnames elsewhere: in front of one other word they do not prove that the surname comes first. */
export const firstNamesElsewhere = set('yang lin park simon kiss varga dong jin wei lu ye yuan fang')

/** Surnames of China in the spelling of the mainland that are short enough to be anything: what follows decides. */
export const pinyinSurnames = set(
  'ma mao xi li wu sun hu he han yi bai meng kong long qian hao gu fan jia wan wen xue xiang gong tian yan',
)

/** Surnames of Hong Kong, Taiwan and Korea that are first names or surnames elsewhere: in front of two syllables they come first. */
export const syllableSurnames = set(
  'wong chow chan lee kim ho lam leung cheung ng yip fung kwok tam tsang lau yeung mak pak park choi jung moon oh chiu chu tsai hsu lai',
)

/** Frequent surnames that are no first names: in front of a first name they may have come first, as in "Smith John". */
export const frequentSurnames = set(`
  smith smyth brown jones williams wilson johnson davies robinson wright thompson thomson white green hall wood hill turner clarke patel baker
  roberts edwards hughes wilkinson shaw holmes mills palmer robertson watson richardson webb gibson stevens simpson obrien oneill osullivan byrne
  walsh doyle mccarthy gallagher doherty
  muller schmidt schneider fischer weber meyer becker schulz hoffmann schafer bauer richter schroder neumann zimmermann braun hofmann hartmann
  kruger dupont durand dubois moreau lefebvre lefevre fournier mercier rossi russo ferrari esposito bianchi colombo ricci conti
  jansen janssen bakker visser smit meijer mulder nowak kowalski kowalska wisniewski wojcik`)

/** Given names that identify a name in reverse order, beside those of core/likely. Surnames that are first names are not among them. */
export const knownGivenNames = set(`
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

/** First names that are also common surnames: in last position they are not evidence. */
export const alsoSurnames = set(`
  james thomas martin george john david paul simon lewis scott ross stuart stewart graham allan allen alan craig bruce keith neil neal lee ray henry
  anthony arthur charles francis frank daniel samuel benjamin joseph jordan taylor kelly gordon russell leslie clifford howard stanley dean glenn
  grant kent todd tracy shannon ryan morgan owen evan evans lloyd vaughan percy nelson wallace warren wayne douglas duncan donald kim may rose grace
  joy hope faith dale gale gene oliver alexander andrew andrews matthew matthews peter peters mark marks luke abraham jacob isaac adam adams victor
  vincent bernard gerard gilbert albert alfred barry terry jerome clark curtis dennis elliott elliot harvey hugh hughes jack max miles mitchell noel
  patrick philip phillips raymond richard robert roberts roger rogers roy rudolph spencer stephen stephens steven stevens walter ward william williams
  tony simon michel bernard laurent vincent denis guy leon marcel moritz ernst otto franz friedrich werner walter hermann arnold ali ahmed hassan
  hussein khan omar mohammed mohamed ibrahim karim paolo luca costa rosa santos bruno franco lorenzo mario marco carlo vitale abdullah khalid yusuf`)

/** A word in the form of the lists. */
export function bare(word: string): string {
  return word
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[.,’'ªº]/g, '')
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
}

/** "J", "J.", "J.R.R." and "J.-P." */
export const isInitial = (word: string) => /^\p{L}\.?$/u.test(word) || /^(?:\p{L}\.-?)+\p{L}?\.?$/u.test(word)

/** Whether a word, or the first half of "Anne-Marie", is in a list of first names. */
export const isGivenName = (word: string) => {
  const plain = bare(word)
  const [first = ''] = plain.split('-')
  return [plain, first].some(
    (name) => isKnownFirstName(name) || knownGivenNames.has(name) || iberianGivenNames.has(name),
  )
}
