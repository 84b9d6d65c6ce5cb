/* Names of Spain, Portugal and the countries that share their languages, as `normaliseWord` returns them. */

import { wordSet } from './word-set.rules.ts'

/** Given names of Spain, Portugal and the countries that share their languages. */
export const iberianGivenNames = wordSet(`
  jose juan antonio manuel francisco luis carlos javier miguel angel rafael pedro jesus alejandro fernando pablo sergio alberto jorge alvaro ramon
  adrian diego andres enrique raul vicente ivan joaquin ruben oscar ricardo eduardo santiago salvador jaime emilio ignacio julio guillermo roberto
  cristian mateo lucas nicolas gabriel rodrigo felipe tomas esteban arturo gonzalo hugo marcos mariano gerardo gustavo hector ernesto federico
  alfonso alfredo agustin armando benito bernardo domingo efrain eugenio fabian fidel gilberto guadalupe ismael leonardo lorenzo marcelo mauricio
  octavio orlando patricio ramiro rigoberto rodolfo rogelio saul simon ulises victor xavier maria carmen ana isabel laura cristina marta lucia
  dolores pilar elena teresa rosa paula mercedes raquel sara rosario juana manuela beatriz angela julia irene silvia andrea patricia concepcion
  montserrat encarnacion monica alicia sandra marina susana margarita yolanda natalia rocio sofia claudia eva ines nuria alba veronica lorena
  gloria amparo esperanza consuelo catalina josefa antonia francisca luisa victoria adriana alejandra carolina daniela esther fernanda gabriela
  leticia luz magdalena mariana miriam norma olga rebeca soledad valentina ximena joao paulo rui tiago nuno bruno joaquim vasco duarte goncalo
  afonso andre filipe henrique mario vitor mateus leandro thiago vinicius caio renato fabio catarina filipa joana rita helena leonor matilde sonia
  vera juliana camila larissa aline bruna tatiana luciana simone vanessa cristiane lurdes conceicao fatima graca margarida eduarda danilo helio
  fabricio fabricia norberto gregorio emilia celia anita elsa elisa josefina cecilia amalia claudio cristobal martin valeria melany ivanna yago
  jordi carles lola jimena micaela rosalia sancho jacobo guillermina marilu maricarmen dulce alondra carminho matias melania paola regina renata
  caridad tadeo moises lourenco benjamim martim luana aaron abel abelardo adalberto adan adolfo adriano alejo alexis amadeo amador amancio
  anastasio anibal anselmo apolinar aristides arnaldo arsenio artemio augusto aureliano aurelio baldomero baltasar basilio bartolome benicio
  benigno benjamin bernabe bernardino blas bonifacio braulio calixto camilo candido carmelo casimiro cayetano celestino celso cesar cesareo
  cipriano ciriaco cirilo clemente constantino cosme crispin dagoberto damaso dario david demetrio desiderio dimas dionisio edgar edgardo edmundo
  efren eladio eleazar eleuterio elias eligio eliseo eloy emiliano epifanio erasmo eriberto eusebio eustaquio evaristo everardo exequiel ezequiel
  fausto faustino feliciano felix fermin filiberto florencio florentino fortunato froilan fulgencio gaspar genaro german geronimo gines graciano
  gumersindo heriberto hermenegildo herminio hernan higinio hilario homero honorio horacio humberto ildefonso inocencio isaias isidoro isidro
  israel jacinto jair jeremias jeronimo joel jonatan josue justino laureano lazaro leocadio leonel leoncio leonidas leopoldo lino lisandro lucio
  luciano macario macedonio marcelino marcial martiniano maximiliano maximino maximo melchor misael modesto napoleon narciso natalio nazario
  nemesio nestor nicanor nicasio odon omar onesimo osvaldo oswaldo paulino pelayo placido policarpo porfirio primitivo prudencio quintin raimundo
  raymundo remigio reynaldo reinaldo romualdo roque rosendo rufino salomon saturnino sebastian segundo serafin servando severino silvano silverio
  silvestre sixto teodoro teofilo timoteo toribio tristan ubaldo urbano valentin valeriano valerio venancio victoriano victorino virgilio
  wenceslao wilfredo zacarias abril adela adelaida adelina agueda agustina aida aitana alejandrina alma almudena altagracia amaia amaya anabel
  anabela anahi angeles angelica angelina antonieta araceli aracely arantxa aranzazu ascension asuncion aurelia aurora azucena begona belen benita
  bernarda berta bertha blanca brigida candela candelaria carina carlota carmela casandra casilda cayetana celeste celestina clotilde concha
  conchita constanza coral cristal dalia damaris delfina diana dora edelmira edith elba elda elia eloisa elvia elvira encarna engracia enriqueta
  erika erendira ernestina esmeralda estefania estela ester estrella etelvina eugenia eulalia evangelina fabiola felicidad felicitas felisa
  filomena flavia flor flora florencia fuensanta gema genoveva georgina gisela gladys graciela griselda haydee herminia hilda hortensia ileana
  iliana imelda inmaculada inma iraida irma isaura ivette ivonne jacinta jazmin joaquina jovita juani judit julieta karina karla laia leire
  leonora lidia liliana lilia lizbeth lizeth lourdes lucero lucrecia macarena maite manola marcela marcelina maribel maricela mariangeles marisa
  marisela marisol maritza maura mayra melisa milagros mireia mireya mirna mirta modesta monserrat montse myriam natividad nayeli nelida nereida
  nerea nidia nieves nilda noelia noemi obdulia ofelia olaya otilia paloma patrocinio paulina paz perla piedad priscila purificacion ramona
  remedios reyna ricarda romina rosalba rosalinda rosana rosaura roxana ruth sagrario salome samanta saray selena silvina socorro sol solange
  soraya tamara teodora tomasa trinidad vicenta vilma violeta visitacion viviana xiomara yadira yaiza yanira yesenia yessica zaida zaira zenaida
  zoila zoraida zulema abilio acacio ademar adelino adilson alcides alexandre altino americo anderson antero aparecida aparecido arlindo armenio
  artur aurea avelino belmiro bento bernadete candida carla carminda celio cidalia clarice claudemir cleber cleide cleusa dalila dalva damiao davi
  delfim deolinda dilma dinis diogo djalma domingos edilson edimar edson eliana eliane elisabete elton emanuel ermelinda estevao eunice eurico
  euclides evandro everton fabiana fabiano fernao flavio florbela florinda frederico geraldo gerson gilmar gilson giovana gisele guilherme guiomar
  haroldo heitor helder hermano honorina ilda iolanda iracema isaltino ivone izabel jandira janaina januario jonas josiane judite jurandir
  ladislau lauro leda leila licinia ligia lisete lucilia luiza luiz luzia madalena mafalda manoel marcia marcio margarete marilda marilia mariza
  marli martinho mauro moacir nelio neusa nilson nilton noemia odete odilia olimpia orlanda osmar otavio palmira raimunda renan rogerio ronaldo
  rosalina rosangela roseli rosilda sebastiana sebastiao serafim sidonio silvana silvio simao suzana tadeu telma tercio tome ulisses valdemar
  valdir vania vicencia vitoria vitorino viviane wagner waldir wanderley washington wellington wilson zeferino zelia zilda aleix anton arnau aritz
  asier aitor bernat biel bartomeu carme dolors enric eneko eudald ferran feliu francesc gemma gorka guillem iban iker imma inaki inigo jaume jon
  josep josu julen lander lluis lluisa manel magda marc mateu meritxell mikel miquel merce oriol pere quim roser sergi unai vicenc vicent xabier
  xavi xoan xose ainhoa ainara arantza edurne garazi idoia iratxe itziar izaskun maialen maider miren naiara nekane olatz saioa uxia antia brais
  iria sabela gabino azul delia lucila antenor teresita anjeles efigenia primitiva gerardina`)

/** Surnames of the same countries, where people usually have two. */
export const iberianSurnames = wordSet(`
  pelayo nazario zamudio mayorga garcia rodriguez gonzalez fernandez lopez martinez sanchez perez gomez martin jimenez ruiz hernandez diaz moreno
  munoz alvarez romero alonso gutierrez navarro torres dominguez vazquez ramos gil ramirez serrano blanco molina morales suarez ortega delgado
  castro ortiz rubio marin sanz nunez iglesias medina garrido cortes castillo santos lozano guerrero cano prieto mendez cruz calvo gallego vidal
  leon marquez herrera pena flores cabrera campos vega fuentes carrasco diez caballero reyes nieto aguilar pascual santana herrero lorenzo montero
  hidalgo gimenez ibanez ferrer duran santiago benitez mora vicente vargas arias carmona crespo roman pastor soto saez velasco moya soler parra
  esteban bravo gallardo rojas silva rivera rivas salazar mendoza guzman espinoza espinosa contreras estrada avila acosta valdez valdes padilla
  maldonado sandoval miranda rios figueroa juarez mejia chavez salinas trevino villarreal escobar cervantes cardenas zamora ochoa cisneros barrera
  robles trujillo pacheco orozco velazquez zuniga quintero camacho villanueva lara meza bautista galvan ayala valencia solis arroyo montoya
  peralta macias rosales ferreira pereira oliveira costa rodrigues martins jesus sousa fernandes goncalves gomes lopes marques alves almeida
  ribeiro pinto carvalho teixeira moreira correia mendes nunes soares vieira monteiro cardoso rocha neves coelho cunha pires reis simoes antunes
  matos fonseca machado araujo barbosa tavares lourenco figueiredo azevedo freitas magalhaes henriques lima guerreiro batista pinheiro faria
  barros morais nogueira esteves anjos baptista mota andrade brito sa nascimento leite abreu borges melo vaz pinho gaspar assuncao maia moura
  valente carneiro souza braga franco macedo moraes saraiva albuquerque xavier abad acevedo acuna adame aguado aguero aguilera aguirre alanis
  alarcon alba albarran alcala alcantara alcaraz aldana alegria alfaro almanza almonte altamirano alvarado amador amaya anaya andrada angulo
  aparicio aponte aragon arana aranda araya arce arcos arellano arenas arevalo arguello arguelles arjona armas armenta arnaiz arranz arreola
  arriaga arrieta arteaga ascencio astudillo atienza avalos avendano ayuso azcona baena baez ballester ballesteros banuelos barahona barajas
  barbero barragan barrientos barrio barrios becerra bejarano beltran benavente benavides benavidez bermejo bermudez bernabeu bernal betancourt
  betancur blasco blazquez bolanos bonilla borja borrego botello briones bueno burgos bustamante bustos cabello cabezas cabral caceres cadena
  calderon caldera calero calle camara camargo campillo campuzano canales cantero cantu cardona carbonell carbajal caro carranza carreno carrera
  carreras carrero carretero carrillo carrion carvajal casado casal casals casanova casares casas casillas castaneda castellano castellanos
  castello castilla catalan ceballos cepeda cerda cespedes chacon chaparro cid cifuentes cobo cobos collado colmenares colon conde concepcion
  cordero cordoba cordova coronado coronel corral corrales correa cortez cota couto cuadrado cuellar cuesta cueto cuevas davila delacruz deleon
  domenech dorado duenas duque echeverria elizondo enriquez escalante escalona escamilla escobedo escribano escudero espada espejo espino esquivel
  estevez fajardo falcon ferreiro ferrero fierro fraga fraile frias funes gaitan galan galarza galeano galindo gallegos gallo galvez gamboa gamez
  gaona garay garcias garmendia garza gimeno giraldo giron godinez godoy gonzales gordillo granados grau guardado guardia guardiola guerra guevara
  guillen guijarro haro heras heredia hernando herranz hervas hinojosa holguin hoyos huerta huertas hurtado ibarra iniguez infante iriarte
  izquierdo jara jaramillo jurado lago laguna landa larios larrea lastra leal ledesma leiva leyva lerma linares llamas llano llanos llopis llorens
  llorente lobato lobo losada lozada lucena lugo lujan luna luque madrid madrigal manrique manso manzanares manzano mari marquina marrero marti
  martel mata matamoros mateos mateu maya mayor mayoral maza medrano melendez melgar melgarejo mena menchaca menendez merchan merino mesa millan
  mireles molinero monge monje monreal monroy montalvo montalban montenegro montes montesinos montiel morado moran morante morcillo morell moscoso
  mosquera munguia muniz murcia murillo muro najera naranjo narvaez nava navas navarrete negrete negron noguera noriega novoa obregon ocampo ojeda
  olivares olivera olmedo olmos oliver ontiveros ordaz ordonez orellana ornelas oropeza orta osorio osuna otero oviedo paez palacio palacios
  palencia palma palomares palomino palomo paniagua pantoja paredes pareja partida pavon paz pedraza pedroza peinado pelaez penalver perea pereda
  pereyra pina pineda pizarro plaza pol polanco polo ponce pons porras portela portillo poveda pozo prada prado prados prats puente puentes puig
  pujol pulido quesada quevedo quezada quintana quintanilla quiroga quiros rangel real rebollo recio redondo reina rendon renteria requena
  restrepo rey reynoso ribas ribera rico rincon riquelme rivero roca rodrigo roig roldan roque ros rosado rosas roura rovira rueda rus saavedra
  saenz saiz sala salamanca salas salcedo saldana salgado salmeron samaniego sanabria sancho sanjuan sanmartin santacruz santamaria santillan
  saravia sarmiento saucedo segarra segovia segura sepulveda serna serra sevilla sierra sobrino sola solano soria soriano sosa sotelo sotomayor
  suero tamayo tapia tejada tejeda tejero tellez tena teran tirado toledo toro torrente torrijos tovar trejo triana troncoso tudela ugarte ulloa
  urbina urena uribe urrutia vaca valderrama valdivia valenzuela valera valero valle vallejo valles valls valverde vaquero varela vasquez velarde
  velez vera vergara vicario vico vila vilches villa villalba villalobos villar villegas vives yanez yepes ybarra zabala zambrano zapata zaragoza
  zarate zavala zepeda zurita etxeberria goikoetxea agirre mendizabal olano abrantes aires albino alencar almada alvares amado amaral amorim
  aragao arantes arruda assis aveiro avelar azeredo barata barreto barreiros barroso bastos bernardes bessa bispo borba botelho braganca brandao
  brites caetano calado caldas caldeira camoes caminha candeias canelas carrilho carvalhal castelo catarino cavaco cavaleiro cavalcante cavalcanti
  cerqueira chagas chaves cordeiro damasceno dantas dias dinis domingues dourado duarte dutra espirito fagundes falcao farinha feijo ferraz ferro
  figueira filipe fontes fortes fragoso frade frazao freire furtado galvao gama godinho goes gouveia guedes guimaraes inacio jardim jordao
  junqueira lacerda lage leitao lemos lindo linhares loureiro madeira magro malheiro marinho mascarenhas mateus matias medeiros meira meireles
  mendonca menezes meneses mesquita moniz moutinho mourao negrao neiva nobre nobrega noronha novais paiva paixao patricio pedrosa peixoto penha
  peres pestana pimenta pimentel pontes portugal prates proenca quadros queiroga queiroz quintela rabelo ramalho raposo rebelo rego resende
  rezende romao roseiro sales salgueiro sampaio saldanha sarmento seabra sequeira serrao siqueira souto taborda tavora teles telles trigueiros
  trindade vale valadares valadao vasconcelos veiga veloso ventura viana viegas vilar vilela vilhena esparza covarrubias placencia plascencia
  palafox olvera olguin orduno ortuno oliva olivas oliveros quinones quinonez rodas romo ruelas rubalcaba sahagun sainz saldivar salcido samudio
  sarabia silveira soberanes solorio solorzano tafoya tamez tinoco toscano trueba urias urquiza valadez valdivieso valladares varona venegas
  verdugo vieyra villagomez villagran villalpando villasenor viveros zaldivar zavaleta zermeno zuluaga bolivar bracho briceno cornejo curiel
  espindola figueredo granda huaman illescas izaguirre jerez lemus limon mansilla mazariegos mondragon monteagudo moncada montufar morejon
  mosqueda nogales olmo palau perera pinilla pinzon planas poblete posadas pulgar quispe rebolledo resendiz rivadeneira robledo rojo rosell ruano
  sagastume salvatierra sandino sarria sedano somoza suazo tabares tobar trillo umana urrego utrera valladolid velazco verdejo villacorta
  villafane villalta zabaleta zamorano zelaya zorrilla veracruz etcheverry iturralde irigoyen ovando`)

/** After "Maria", "José", "Ana" and "Juan" these belong to the given name: "María del Carmen". */
export const devotions = wordSet(
  'carmen pilar paz mar rosario rocio angeles dolores lourdes jesus dios luz conceicao graca fatima gracia mercedes valle pino coro sol milagro milagros nieves consuelo socorro guadalupe amparo prado puerto camino remedio refugio patrocinio sagrario valle henar',
)
/** Given names that a name of devotion may follow. */
export const namesBeforeDevotion = wordSet('maria jose juan ana rosa')

/** Given names after a saint. */
export const saints = new Set([
  'francisco de asis',
  'francisco de paula',
  'francisco de borja',
  'pedro de alcantara',
  'luis de gonzaga',
  'juan de dios',
  'teresa de jesus',
])
