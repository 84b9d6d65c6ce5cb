/* Words of firms, institutions, households and houses, as `normaliseWord` returns them: a name that contains one is not a person's name, with the exceptions below. */

import { wordSet } from './word-set.rules.ts'

/** A name with one of these belongs to an office, a firm, a household or to no person. */
export const organisationWords = wordSet(`
  ltd limited plc llp llc lp inc incorporated corp corporation co company cic pty gmbh ag kg ohg ev mbh bv nv vof sa sas sarl srl spa sl slu lda
  ltda eirl oy ab as aps sro kft zrt doo pte pvt holdings holding library libraries school schools university universitat universite universidad
  universidade universita college colegio ecole schule akademie academy hospital hospitals clinic klinik society gesellschaft club verein
  association associazione asociacion associacao committee council church kirche eglise iglesia parish diocese trust trustees foundation stiftung
  fondation fundacion nurseries nursery dept department abteilung office officer centre center zentrum institute institut instituto group groupe
  gruppe partners partnership services service studio studios gallery galerie museum musee museo bibliothek bibliotheque biblioteca hotel
  restaurant pub inn farm farms garage shop store stores supplies solutions systems consulting consultants consultancy management international
  national global enterprises industries technologies technology media press publishing publishers publications magazine books bookshop news
  agency agentur agence agencia bureau bank insurance investments properties property estates estate builders construction engineering electrical
  motors cars transport logistics foods catering bakery pharmacy surgery practice dental veterinary solicitors accountants accounts architects
  associates chambers law legal government ministry ministere ministerio embassy botschaft army navy police fire borough county city town village
  stadt gemeinde commune ayuntamiento comune the and for with your our subscriptions subscription subscriber reader readers customer occupier
  resident householder household family familie famille familia famiglia fam gezin eheleute ehepaar echtpaar epoux coniugi matrimonio geschwister
  gebruder gebroeders gebr fratelli flli hermanos hnos erben erven herederos heirs manager director secretary treasurer editor librarian
  headteacher head bursar clerk chairman president chief owner tenant unknown anonymous test nobody none na tba various sales marketing reception
  admin administrator administration purchasing purchase ledger room floor unit box attn attention care executors executor late deceased user
  known gone away ambulance united person gardens fa ste landkreis rechtsanwaltin other name given tbc heritage arms lion uk brothers rotary cosmetics tsb sci eurl snc gie gaec scp selarl scea fao att
  vve veuve viuda vda viuva indivision succession erbengemeinschaft nachlass herdeiros hijos filhos galeries secours gemeente gemeenten kommune kommun
  gmina urzad obec panstwo bibliotheek biblioteka bibliotek biblioteket knihovna kirjasto konyvtar uniwersytet univerzita universitet universitetet
  yliopisto egyetem szkola skola skole koulu iskola liceum lyceum scoil gaelscoil colaiste ollscoil caja steel montessori
  username null undefined organisation organization federation union league team fc cc rfc crew cooperative coop charity fund project network
  forum alliance board authority commission home house banking banco banque banca sparkasse volksbank raiffeisenbank savings credit finance
  financial assurance assurances assicurazioni versicherung versicherungen verzekeringen seguros mutual mutuelle mail airways airlines airline
  rail railway railways water electricity energy telecom broadband parcel courier couriers freight shipping taxis cabs coaches travel tours
  holidays leisure hotels hostel motel restaurants cafe cafeteria bistro bistrot brasserie brasseries pizzeria trattoria osteria ristorante
  restaurante albergo auberge hostal gasthof gasthaus gaststatte wirtshaus pension camping tavern brewery breweries brauerei weingut winery
  vineyard vineyards bodega bodegas cantina supermarket supermarkets supermarche supermercado supermercati superstore warehouse wholesale retail
  boutique grocers newsagent newsagents stationers jewellers florist florists fleuriste opticians chemists butchers plumbing plumbers heating
  roofing flooring joinery carpentry scaffolding decorators cleaners cleaning laundry printers printing graphics design designs photography
  hairdressers coiffure friseur friseursalon furniture interiors kitchens bathrooms tyres autohaus werkstatt schreinerei tischlerei druckerei
  drukkerij imprimerie imprenta tipografia gym fitness fit golf cricket rugby football tennis athletic cinema theatre theater orchestra choir
  festival apotheke apotheek pharmacie pharmacies farmacia buchhandlung buchladen boekhandel boekwinkel librairie libreria livraria verlag
  uitgeverij editions editorial edizioni editrice redaktion backerei bakkerij boulangerie patisserie konditorei pasticceria pasteleria panificio
  panaderia padaria metzgerei fleischerei slagerij boucherie charcuterie carniceria gartnerei kwekerij epicerie talleres tienda praxis praktijk
  zahnarztpraxis arztpraxis tandartspraktijk huisartsenpraktijk klinikum krankenhaus ziekenhuis hopital ospedale clinique clinica hospice nursing
  altenheim seniorenheim pflegeheim kanzlei rechtsanwalte steuerberater steuerberatung advocaten notaris notariskantoor cabinet asesoria gestoria
  inmobiliaria immobilien immobiliere makelaardij hausverwaltung verwaltung amt rathaus landratsamt stadtwerke feuerwehr polizei ministerium
  ministerie provincie mairie prefecture ayto diputacion stichting vereniging verband verbond syndicat sindicato comite cooperativa societe
  societa sociedad ets etablissements entreprise empresa impresa azienda ditta firma bedrijf bouwbedrijf construcciones transportes istituto
  instituut lycee gymnasium grundschule realschule hochschule basisschool hogeschool kindergarten escuela escola scuola universiteit rectory
  vicarage parsonage presbytery deanery priory cathedral catedral cattedrale minster monastery convent kloster monasterio convento pfarramt
  pfarrei kirchengemeinde parochie paroisse parroquia parrocchia paroquia igreja chateau domaine mansion bungalow blumen getranke sanitar elektro
  zahnarzt reisen moden mobel optik kiosk trafik kapper kapsalon slijterij drogist opticien traiteur tabac presse coiffeur edicola alimentari
  ferramenta ottica parrucchiere abbigliamento macelleria joyeria optica estanco peluqueria quiosco talho florista homes cottage maison casa haus
  mfg manufacturing manufacturers fabricating fabrication fabricators tech technical communications communication telecommunications packers
  packing packaging brokerage brokers realty realtors rentals rental leasing lumber hardware appliance appliances automotive auto autos tire tires
  towing trucking hauling cartage excavating excavation paving landscaping landscapes lawn greenhouse greenhouses irrigation alarm alarms
  locksmith locksmiths exterminators exterminating janitorial maintenance remodeling renovations contractors contracting contractor developers
  development developments masonry concrete drywall siding windows doors carpets carpet tile tiles electric electronics electrics hvac plastics
  metals welding machining machine machinery equipment products distributing distributors distribution distributor importers imports exports
  trading traders merchandise warehousing storage movers moving logistic aviation marine boats yachts charter charters campground campgrounds
  resort resorts salon salons barbershop nails tattoo tanning boutiques apparel clothing clothiers shoes uniforms jewelers jewelry antiques
  collectibles gifts toys hobby crafts florals liquors liquor wines spirits beverage beverages brewing distillery distillers deli delicatessen
  grill grille bar diner pizza tacos taqueria bbq steakhouse seafood donuts coffee espresso creamery dairy meats poultry produce grocery groceries
  market markets convenience outlet outlets discount emporium medical medicine healthcare health wellness therapy therapies rehab rehabilitation
  orthopedics orthopedic pediatrics pediatric cardiology oncology radiology dermatology ophthalmology urology surgical surgeons vision optometry
  chiropractic acupuncture podiatry dentistry orthodontics physicians animal pet pets kennels grooming stables equestrian laboratories laboratory
  labs pharmaceuticals pharmaceutical pharma biotech biosciences diagnostics instruments software digital interactive networks networking wireless
  cellular cable broadcasting radio television productions production entertainment pictures films recordings records advertising promotions signs
  signage staffing recruiting personnel payroll bookkeeping tax taxes attorneys attorney capital ventures venture equities equity securities
  advisors advisers advisory wealth mortgage mortgages lending loans escrow bancorp bancshares banc trustco affiliates assoc assocs assn assns
  bros intl svc svcs dist mgmt ctr govt univ inst found seminary ministries chapel synagogue mosque congregation tabernacle baptist methodist
  lutheran presbyterian episcopal pentecostal catholic daycare preschool montessori learning education educational tutoring campus faculty
  campaign pac dba democrats republicans democratic republican citizens voters friends elect coalition caucus political taxpayers lobby chapter
  lodge guild societies foundations alumni veterans volunteers firefighters teachers employees workers local district township municipal state
  federal states usa american mining minerals petroleum oil gas fuels fuel refinery pipeline drilling exploration resources environmental
  recycling waste disposal sanitation utilities utility solar energies nuclear chemicals chemical paints coatings adhesives rubber textile
  textiles fabrics foundry forge castings tooling hydraulics pneumatics bearings fasteners controls automation robotics aerospace defense
  semiconductor semiconductors optics lighting sound audio video imaging engraving embroidery upholstery cabinetry millwork woodworking woodworks
  ironworks steelworks roofers tractor tractors implement implements feed seed seeds grain elevator orchards orchard ranch ranches acres livestock
  cattle fisheries hatchery apartments condominiums condominium condos condo homeowners townhomes manor plaza towers villas terrace mall shopping
  arcade bowling lanes billiards arena stadium casino gaming lottery amusements theatres playhouse ballet symphony opera philharmonic museums zoo
  aquarium planetarium aerobics yoga pilates karate judo taekwondo gymnastics sports sporting athletics golfing fishing hunting outfitters archery
  firearms ammo cycles cycle motorcycles motorsports raceway speedway racing produits boissons primeurs fromagerie poissonnerie serrurerie
  menuiserie plomberie peinture maconnerie garagiste carrosserie bijouterie horlogerie papeterie maroquinerie cordonnerie pressing blanchisserie
  laverie teinturerie jardinerie pepiniere pepinieres horticulture scierie charpente couverture toiture electricite chauffage climatisation
  carrelage carrelages demenagement demenagements ambulances taxi funerailles pompes notaire notaires avocats huissier architectes architecte
  geometre expertise expertises conseil conseils formation creche ecoles lycees residence residences maternelle mediatheque amicale comptoir
  coiffeurs handwerk tischler schreiner zimmerei dachdecker malerbetrieb elektrotechnik heizung klempnerei spedition fuhrunternehmen fahrschule
  tankstelle autohandel landmaschinen getrankemarkt metzger fleischer backer gartenbau baumschule forstbetrieb steinmetz bestattungen goldschmied
  juwelier uhren schuhhaus modehaus kaufhaus mobelhaus reiseburo versicherungsburo ingenieurburo architekturburo notariat steuerkanzlei
  rechtsanwalt rechtsanwaltskanzlei gemeinschaftspraxis pflegedienst kindertagesstatte kita grundstucksverwaltung wohnbau bau hochbau tiefbau
  ferreteria papeleria carpinteria fontaneria electricidad construccion reformas materiales muebles decoracion pinturas cristaleria cerrajeria
  taller automoviles neumaticos gasolinera autoescuela pescaderia fruteria verduleria zapateria bisuteria relojeria lavanderia tintoreria
  guarderia residencia ambulatorio centro consultorio veterinaria abogados asesores consultores arquitectos ingenieros inmuebles promociones
  editora imprensa mercearia sapataria papelaria oficina autarquia camara junta freguesia officina carrozzeria falegnameria idraulica elettrica
  edilizia costruzioni impianti arredamenti mobili calzature tabaccheria gelateria salumeria pescheria merceria cartoleria gioielleria orologeria
  erboristeria sanitaria fioreria vivaio vivai cantine agriturismo caseificio frantoio associati avvocati commercialisti geometri notaio agenzia
  immobiliare assicurazione scuole asilo parrocchiale transportation training institution institutions consortium advocacy leadership conference
  convention street avenue road blvd boulevard highway toyota honda chevrolet buick volvo nissan hyundai mazda subaru volkswagen audi bmw jaguar
  mercedes-benz living repairs repair laborers painters carpenters electricians pilots engineers airport port harbor valley residents`)

/** Endings of German and Dutch compounds for a trade or an institution: "Weinhandlung", "Autobedrijf". Händel and Dienst are surnames. */
export const tradeEndings =
  /.{3}(?:erei|erij|bedrijf|handlung|handel|betrieb|geschaft|werkstatt|praxis|praktijk|kanzlei|kantoor|schule|school|gymnasium|verein|vereniging|verband|verlag|gesellschaft|bibliothek|bibliotheek|zentrum|centrum|dienst|stelle|klinik|versicherung|verwaltung|ministerium)$/

/** Endings of a shop in front of its name: "Ferretería", "Quincaillerie"; "Valeria" and "Valerie" are shorter. */
export const shopEndings = /.{4}eri[ae]$/

/** Words for places that are also surnames after an initial: "J. Cottage". */
export const surnamePlaces = wordSet('church bank house garage homes cottage maison casa haus water minster kloster')

/** Adjectives in front of a firm, an institution or a house; as a last word they are surnames. */
export const organisationAdjectives = wordSet(
  `royal old new british american european deutsche deutscher deutsches openbare united first central northern southern eastern western northwest northeast southwest southeast midwest
  metro global universal premier elite superior precision advanced allied associated consolidated integrated standard classic modern quality super better`,
)

/** First words of house names that are first names too, and what follows them: together they are a house. */
export const nameplateWords = wordSet(
  'holly rose ivy heather hazel laurel willow primrose lavender jasmine daisy lily olive myrtle cherry poppy fern rowan',
)
export const houseWords = wordSet('house cottage lodge villa farm manor grange inn barn')

/** Words of organisations that are surnames as well: "Charlotte Church". */
export const organisationSurnames = wordSet(`
  church bank house head farm garage press law fire chambers city town store inn clerk bishop home room ab as co sa ag book books care late bursar
  box shop cars na test chief tenant unit fund user chapel tile lodge plaza towers camara metzger fleischer schreiner tischler backer steinmetz
  goldschmied bowling arena sales parish market coffee bau street road port valley painters plumbers steel montessori lion name given other`)
