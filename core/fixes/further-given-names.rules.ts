/*
 * More given names than core/likely has, by language, as `normaliseWord` returns them; a name is in the first of its languages only, and those of Spain and
 * Portugal are in iberian-names. They are used to find the order of a name, not to decide whether two readers are the same person.
 */
const byLanguage = `
  # English
  alec alvin amanda amos angus archibald archie arlene armand arnaud aubrey august augustus avril barney bartholomew basil benedict bennie
  bernadette bernice bertram beverley beverly blake blanche bonnie brad bradley brent brett bridget brigid britney brittany brooke byron calvin
  candace candice carey carl cary casey caspar cassandra cassie cedric chad chelsea cheryl chester christian claud claude claudette claudine
  clayton clement cleo clifton clint clinton clyde cody colette cora cordelia cornelius courtney crystal curt dallas dana daphne daria darlene
  darrell darren darryl darwin dash debbie delbert della delores dessie dewey dexter dina dino dixie dmitri dominic dominik doug doyle duane
  dustin dwayne dwight earnest edmond edna edwin elaine elmer elvis emil enda ernest erwin eugene everett felicia ferdinand floyd forrest frans
  gilda glennis gregg guido gus hal herman hermann herschel homer horace hubert humphrey irina irving irwin isaac isabella jasper jed jeff jeffery
  jerald jeremiah jesse jethro joanna jody joelle jonah josephina josiah judah judson julius justus kayla kaylee kelsey kendra kirk krista kristen
  kristin kristine kristopher kurt kurtis lacey lance larry latoya laurel laverne leah leanne leighton lenore leona levi lila lilian lillian linus
  lionel lois lorenz loretta lorraine louis lowell lucian lucille lula luther lyle mabelle mackenzie madison mamie mandy marcella margot
  marguerite mariah marianne marissa marjory marla marsha martina marvin mary-ann maryann mathew maxine maynard melinda melvin mercy meredith
  merle micah micheal mickey milton minnie mitzi molly mortimer moses murray myron myrtle nanette naomi natasha nathan ned nettie nita nolan nora
  octavia odette opal orville otis paige penelope percival perry phyllis preston priscilla quentin quincy randall randolph randy raphael reba
  reginald rena rhoda rhonda rick robbie rochelle rolland roman romeo roscoe roxanne ruthie sadie selma shari shawn shelby sheldon sherman sherri
  sherry sonja sonny spencer stacey stacy sterling sue suzanne sybil tabitha tami tammy tasha teddy terrence terri tessa thaddeus thelma theo
  theodore thurman tiffany timmy tommie tonya tracie travis trent tricia troy tyler tyrone ulysses velma vern verna viola violet vivienne wade
  wallis wendell wesley wilbert wilbur wilfred willa willard willis winston wyatt yvette zachariah zelda
  # Italian
  assunta ermete trifone abbie abe abner ada adele adrienne agatha aileen alberta aleksander aleksandra alena alessia althea alyssa anastasia angelique annabelle annette
  ansel april arlo arnold asa astrid ava
  # French
  achille adelmo agostino alberico alceste alcide alessio alfio ambra ambrogio amedeo amelia andreina angelino annalisa annamaria annunziata
  antonello antonietta antonino arianna arrigo attilio augusta battista beatrice benedetta benedetto beppe biagio bianca brunella camilla carlotta
  carmine caterina cesare cesira cinzia ciro clelia colomba concetta corrado cosimo costantino costanza cristiana cristiano damiano dante debora
  desiree domenica donata donatella donato edda edoardo efisio egidio eleonora elio elisabetta ella emanuela emanuele emma enrica enrico enza enzo
  ermanno eros ersilia ettore fabrizia fabrizio fausta ferdinando ferruccio filippo fiorella fiorenza fiorenzo floriana franca fulvia fulvio
  gabriella gaetana gaetano gaspare gavino gennaro geraldina germana gerolamo giacinto giacomo giada gian giancarlo gianfranco gianluca gianluigi
  gianmarco gianna gianni gianpaolo gianpiero gigliola ginevra gino gioacchino gioconda gioele gioia giordana giordano giorgia giovambattista
  giuditta giuliana giuliano giulio giuseppina giusi giustino glauco goffredo grazia graziano graziella gualtiero guglielmo iacopo ida ignazio
  igor ilaria ilario immacolata innocenzo italo ivana ivano ivo jacopo lamberto lara lavinia lea leone letizia lia licia livia livio loredana
  lorella loriana lucilla lucrezia ludovica ludovico maddalena manfredi manuele marcello margherita mariangela marianna mariarosa mariella
  marilena marinella marino maristella massimiliano mattia melissa michela michelangelo michelina milena mimmo mirella mirko moira monia morena
  moreno nadia nazareno nazzareno nello nerina nicla nico nicodemo nicola nicoletta nicolo nino nives nunzia nunzio oliviero orazio oreste orietta
  ornella orsola ottavia ottaviano ottavio palmiro pamela paride pasquale pasqualina patrizia patrizio piera piergiorgio pierino pierluigi piero
  pierpaolo pina pino pio porzia primo quinto quirino raffaele raffaella raffaello raimondo remo renzo rinaldo roberta rocco romano romolo rosanna
  rosaria rosella rosetta rosina rossana rossano rossella ruggero ruggiero sabina sabino sabrina salvatrice samuele sandro santa santina santino
  santo saverio savino sebastiano selene serafina serafino serena sesto settimio silvestro simona simonetta stefania stella tania tazio tecla
  telesforo temistocle tina tiziana tiziano tommaso tonino tullio ugo umberto vanda vincenza virginia virginio vito vittoria vittorio walter wanda
  ylenia zeno
  # German
  adeline adrien agathe agnes aime aimee alban albertine alexandra alice alphonse amandine amaury ambroise anais anatole andree angele annick
  anouk anthony antoinette antonin apolline ariane aristide arlette armelle arsene arthur aubin audrey auguste augustin aurelien axelle baptiste
  barnabe basile bastien baudouin benedicte berenger berengere berthe bertrand blandine boris brice camille capucine carine carole caroline cathy
  cecile celestin chloe christelle christiane clarisse clemence clementine coline coralie corinne cosette cyprien cyril cyrille damien daniele
  danielle deborah delphine desire diane dorine dorothee edgard edouard eglantine eleonore elie eliette elisabeth elise eloi eloise emeline emile
  emilie emilien emmanuel emmanuelle enguerrand erwan estelle etienne eudes eugenie eulalie evelyne fabien fabienne fabrice fanny faustine felicie
  felicien fernand fernande flavie fleur florence florent florian floriane france francine franck gabin gabrielle gael gaelle gaetan gaspard
  gaston gauthier geoffroy georges georgette geraldine germain germaine gervais ghislain ghislaine gilberte gildas gilles gregoire guillemette
  gustave gwenael gwenaelle gwenola hadrien helene heloise henriette herve hippolyte honore honorine hortense hugues huguette irenee isabeau
  isidore jacky jade jany jeanine jeanne jeannine jehan jeremie jerome joachim jocelyn jocelyne johanna jonathan jordane joseph josephe josette
  josselin joyce judith jules julie julienne juliette justine karim karine katia ketty laetitia lambert laure laureen laurence laurene laurette
  leandre lena leo leonard leonie leopold liliane lisa lise loic loick louane louis-marie louise luc lucette lucie lucien lucienne lucile ludivine
  ludovic lydie madeleine mael maelle magali magalie manon marcelin marcelle margaux marie marielle mariette marin marine marion marius marjolaine
  marlene martial maryline maryse maryvonne mathilde matthieu maud maxence maxime maximilien melanie meline melodie micheline mickael mireille
  morgane muriel mylene nadege nadine nais nans natacha nicolle nina noe noelle noemie norbert oceane octave odile ondine ophelie orane oriane
  pacome paulette pauline pelagie perle perrine philibert philomene pierrette pierrick prosper prune raoul raymonde regine regis remi remy renaud
  renee reynald robin roch rodolphe rodrigue roland rolande romain romane romuald ronan rosalie roseline roselyne rozenn sacha samuel sarah
  sebastien segolene serge servane severine sidonie simeon solene soline stephane stephanie suzette sylvain sylvaine sylvestre tancrede tanguy
  thibaud thibault thibaut timothee titouan toussaint ulysse urbain ursule valentine vianney victoire victorien vincente violette virginie
  wilfried yann yannick yoann yohan yolande yvan yvon yvonne zoe
  # Dutch
  achim adelheid adolf albrecht alfons alois alwin anke annegret anneliese annett ansgar antje armin arndt arne arno axel babett baerbel barbel
  beate bernd bernhard bernhardt bettina bjarne bodo burkhard carola carolin christel christina christoph claus clemens cordula corinna cornelia
  dagmar delia detlef detlev dierk dietmar dietrich doreen dorothea eberhard eckart eckhard edeltraud egon ekkehard elfriede ellen elmar engelbert
  erich erna ernst eugen evelyn ewald falk frank franziska frauke fred frederike friedemann frieder friederike friedhelm friedhold fritz georg
  gerald gerd gerda gerhard gerhild gerlinde gernot gero gertraud gertrud gesine gottfried gotthard gottlieb gregor gretchen gudrun gundula hagen
  halina hannelore hannes hanno hans-peter harald hardy hartmut hartwig hasso hedwig heiko heiner hella helma helmuth henning henry herbert
  heribert hermine herta hilde hildegard hiltrud holger hubertus ilona ilse imke inga inge ingeborg ingmar ingo inka inken iris irmgard irmtraud
  isolde jakob janina janine jennifer jochen joerg josef juliane karlheinz karolin karoline karsten katharina kathleen kathrin klaas klara klemens
  knut konrad konstantin korbinian kornelia kunigunde lasse leni liane liesel lieselotte lothar lotte luca luise lutz lydia maik maike manfred
  mareike margarethe margit margret maritta marko marlen marlies martha mathias mechthild meike micha michaela mike mirco mirja mirjam moritz
  nadja natalie niels niklas nikolaus olaf ole oliver oskar oswald othmar ottilie otto patrick pia raimund ralph reiner reinhild reinhold renke
  resi roderich romy ronja ronny rosemarie rosi roswitha rudi rudiger rudolf ruprecht saskia siegbert siegfried sieglinde siegmund sigrid sigrun
  sigurd sofie sophia soren stefanie steffen stephan susann susanna svenja swantje sylke sylvia tabea tanja thea theodor theresa theresia thilo
  thomas till tilman tilo timo traudel traute udo ulf ulla ulrike uta verena veronika viktor viktoria vincent vinzenz volker volkmar walburga
  waldemar waltraud wenzel werner wiebke wigand wilhelmine winfried wolf wolfram xaver
  # Scandinavian
  aaltje aart adriaan aleid alida annelies antoon ard arend arie arjan arjen arnoud aukje bas bastiaan bauke berend bert boudewijn bram brecht
  carolien casper christiaan coen cor corine corrie daan daniella dick diederik dineke ed eelco eelke egbert elly els emiel emmy evelien evert
  femke ferdi floor floris fokke frederik freek frits geert geertje geertruida gerben gerrie gert gertjan gijs gijsbert greetje guus hanneke harm
  harrie hein heleen henny ineke jaap jacob jacoba jacobus jannie jeanette jelle jessica jet joep joke joop jop joris jos josien jurriaan karel
  klazien koen koos lammert laurens leen leendert lieke lies liesbeth lodewijk lourens luuk maaike maartje machteld marian marieke mariska marjan
  marjolein marleen mathijs matthijs meindert menno merel michiel mieke miranda nanda natasja nelleke nicolaas niek nienke paulien peter-jan
  philip pien pim quinten reinier remco ria rianne riet rik rob robbert roderick roel roelof ronald rutger ruurd sem sietse sijbren sjaak sjef
  sjors steven suzan sybren sytske teun teunis theodorus thijs tim tineke titia tjeerd tom ton toon truus tycho wendela wendy wibren wieteke
  wijnand wilhelmina willemien willemijn wouter zeger
  # Finnish
  agda agneta alf alva anette ann annelie annika arvid asmund asta barbro bengt berit bertil birger borje bosse brita britt britt-marie bror carin
  catharina christer claes dag dagny dan daniel ebba einar eivind elin elisabet ellinor elsie emelie erland erling eskil evald evelina ewa fredrik
  freja frida frode goran gosta greta gro gunilla gunnel gunvor gustaf gustav haakon hakan halvard hampus hanna harry hedda hedvig helen helge
  henrik hildur ingalill ingegerd ingela ingemar inger ingvar ivar janne jannicke jarl jenny jerker jesper jimmy joacim joakim joar johnny jonna
  jorgen josefin josefine jostein kaare kaj kajsa katarina kenneth kent kettil kim kirsten kirsti kjell kjersti klas krister kristian kristoffer
  lage leif lennart lina linda linn linnea lisbet lisbeth liv lotta lovisa lukas magnar magnhild magnus maj maja malene malin margareta margrethe
  mari marit mats mattias merete mette mikael mikkel moa mogens mona morten niclas oddmund oddvar ola olav oleg olle ostein oyvind paal palle par
  patric patrik peder pelle per pernilla pernille petter poul preben ragnar ragnhild rasmus rebecka reidar rickard rikard roald roger runar rune
  sanna signe sindre siri siv solveig staffan stein steinar stellan sten stian stig stina sture sune svante svein sven-erik svend sverre terje
  therese thorbjorn thore thorstein tommy tone tor tora torbjorn tord tore torgeir torgny torill torkel torleif torstein trine trond trygve ture
  turid ulrik ulrika urban valborg vebjorn vibeke vidar viggo vilhelm ville viveka vivi wenche ylva yngve
  # Polish
  aino aleksi anna-liisa anneli annikki antti arja arto eero eeva eija eino elina erkki esa hannu harri heikki helvi hilkka ilkka ilmari irja
  irmeli jaakko jari jarmo jouko jouni juha juhani jukka jussi jyrki kaarina kaija kaisa kalervo kalevi kalle kari katri kauko kirsi kyllikki
  lauri leena liisa maija marja marjatta markku marku martti matti mauri merja mika mikko minna mirva niilo niina olavi olli orvokki outi paavo
  paivi pasi pauli pekka pentti pertti petri pirjo pirkko raija raimo reijo riitta risto ritva sakari sami sari satu seija seppo sirkka sirpa
  taina taisto taneli tapani tapio tarja tauno teemu teppo terhi terttu tiina toivo tuija tuomas tuula tuulikki tytti urho vaino veikko veli vesa
  virpi yrjo
  # Czech and Slovak
  agata agnieszka alicja andrzej aneta antoni arkadiusz bartosz beata blazej bogdan bogumil boguslaw bozena bronislaw cezary czeslaw damian danuta
  dariusz dorota edward eliza elzbieta ewelina feliks filip franciszek genowefa grazyna grzegorz henryk henryka ignacy irena ireneusz iwona
  izabela jacek jadwiga jakub janusz jaroslaw jerzy jolanta jozef jozefa julian julita justyna kacper kamil kamila karol karolina katarzyna
  kazimierz kinga klaudia kordian krystian krystyna krzysztof lech leslaw leszek lucjan lucyna lukasz maciej malgorzata marcin marek mariola
  mariusz marlena maryla mateusz michal mieczyslaw mikolaj milosz miroslaw oliwia patryk pawel piotr przemyslaw radoslaw rafal remigiusz robert
  ryszard slawomir stanislaw sylwester sylwia szczepan szymon tadeusz teofil tomasz urszula weronika wieslaw wieslawa wiktor wiktoria wincenty
  witold wladyslaw wlodzimierz wojciech zbigniew zdzislaw zenon zofia zuzanna zygmunt
  # Romanian
  ales alzbeta anezka barbora blanka bohdan bohumil bohuslav borivoj branislav bronislava dalibor denisa drahomira dusan eliska frantisek
  frantiska hana hynek iva iveta jarmila jaromir jaroslav jaroslava jindrich jindriska jiri jirina jitka juraj katerina kristyna kvetoslava
  ladislav lenka leos libor libuse lubomir lubos ludek ludmila marketa matej milada milan milos miloslav miloslava miluse mirka miroslav miroslava
  nadezda narcisa oldrich ondrej otakar pavel pavla pavol petr premysl radek radim radka radomir radovan richard romana ruzena sarka silvie
  slavomir sona stanislav stanislava stepan svatava svatopluk svetlana vaclav vendula viera vilem vit vladimir vladimira vlasta vlastimil vojtech
  zbynek zdenek zdenka zdislava zuzana
  # of the Balkans, Russia and Ukraine
  adina alexandru ana-maria anca andrei aurel calin camelia catalin ciprian constantin corina corneliu cosmin costel doina dorin dragos florentina
  florin george georgeta gheorghe horia iancu ilie ioan ioana ion ionel ionut iulian iuliana larisa laurentiu liviu luminita mihaela mihai mihail
  mircea mirela nicolae nicoleta oana octavian ovidiu petre petru radu raluca razvan rodica sanda serban silviu sorin teodor tiberiu traian
  valeriu vasile viorel viorica virgil vlad
  # Hungarian
  aleksandar aleksandr aleksei alexei anatoly andrej andrija ante antonija arkady blaz borut boyan branka branko darko davor dejan denis dmitry
  dragan drago dusanka evgeny franjo galina gennady georgi gordana grigory hristo ilija ivica jasna jelena josip jovan kristijan ksenija lidija
  ljiljana ljubica luka marija marijana mate matija milica milorad mirjana mladen mykola nada natalya natasa nenad nevena nikola nikolai nikolay
  novak oksana oleksandr olena petar predrag radmila rados ratko rodion sanja sasa sergei sergey serhiy sinisa slavica slobodan snezana stanko
  stjepan stoyan tatjana tihomir tomislav vadim vasil vesna vitaly vjekoslav vladislav vlado volodymyr vuk yevgeny yulia yuri zarko zdravko zeljko
  zlatko zoran zvonimir
  # Greek
  andras aniko attila balazs balint bela bence denes edit endre erzsebet eszter ferenc gabor geza gyorgy gyula ildiko imre istvan janos jeno
  jozsef julianna kalman karoly katalin krisztian krisztina lajos laszlo levente magdolna matyas mihaly miklos orsolya pal peter piroska rozsa
  sandor sarolta szabolcs szilvia tamas tibor timea vilmos zoltan zsofia zsolt zsuzsa zsuzsanna
  # Turkish
  achilleas alexandros anastasios angelos antonios apostolos aris athanasios christos dimitra dimitrios dimitris eleftherios eleni evangelos
  fotini georgia georgios giannis giorgos ioanna ioannis konstantina konstantinos kostas kyriakos lefteris manolis michalis nikolaos nikos
  panagiotis panos pavlos petros sotiris spyridon spyros stavros stelios thanasis theodoros vasiliki vasilios vassilis yannis yiannis zoi
  # Arabic and Persian
  ahmet ayse burak cem deniz ebru ebubekir elif emine emre ercan erdal erdogan ertugrul esra fatih fatma ferhat filiz gokhan gul gulay gulsen
  halil hasan hatice hulya huseyin ilhan ismail kadir kemal kerem koray levent leyla mahmut mehmet meryem mesut metin mevlut murat mustafa nazli
  nermin nihat nuray nurten oguz okan omer onur orhan osman ozan ozlem ramazan recep sedat selcuk selim semra serdar serife serkan sevgi sevim
  sibel sinan suleyman sultan tarik tayfun tolga tulay turgut ufuk ugur umit volkan yasemin yavuz yildiz yilmaz zafer zehra zeynep
  # Indian
  abbas abdallah abdel abdelaziz abdelkader abderrahman abdoul abdulaziz abdulla abdulrahman abubakar adel adnan aicha akbar akram alaa amina
  amine amir amira anas anwar arif asad asif asma assad ayman aziz aziza bashir bilal driss emad fadel fadi fahad faisal faiza farah fares farid
  farida farooq faruq fathi fatiha fawzi ferid fouad fuad ghassan habiba hadi hafsa haider hakim halima hamid hamida hamza hanan hani haroon
  hashim hasna hatem hicham hisham houda huda husain imad iman imran jaber jalal jamal jamila jawad kamal kamran karima khadija khaled khalil
  laila lamia latifa layla lubna maha mahdi mahmoud majid malak malik malika mansour mariam marwan maryam mehdi mohamad mohammad moncef mounir
  mourad moustafa muhammed muna munir musa mustapha nabil nadir naima najib nasir nasser nawal nizar noor nour noura osama othman rachid rachida
  rafik rahim rami rania rasha rashid rashida reza riad ridha sabah sabri saeed safia sahar said saida saif salah saleh salem salim salima salma
  salman samir samira sana shahid sharif sofiane souad sumaya taha tahar talal tarek tariq usman wafa walid wassim yacine yahya yasin yasir
  yasmina yassine younes youssef youssouf zahra zainab zakaria zaki zeinab ziad zied zineb zohra
  # African
  abhay abhishek aditya ajay ajit akash akshay alok aman amar amitabh amrita anand anant ananya anjali anjana ankit anuradha aparna archana arun
  aruna arvind asha ashish ashok ashwin avinash bala balraj bharat bhaskar bhavna chandra chetan deepa deepika devendra dhruv dilip dinesh divya
  farhan ganesh gaurav gautam geeta girish gopal govind gurpreet hardeep hari harish harpreet harsh hemant hitesh indira ishaan jagdish jaspal
  jaswinder jatin jayant jayanti jyoti kabir kailash kalpana kamala kamlesh kapil karan karthik kavita kiran kishore krishna kuldeep kulwinder
  kunal kusum lakshmi lalit lata laxman madhav madhu mahendra mahesh mala mamta manish manisha manjit manmohan manoj maya meena meera mohan mohit
  mukesh murali nalini namrata nandini narayan narendra naresh naveen navin neeraj neha nikhil nilesh nirmala nisha nitin om padma pankaj paramjit
  parvati pawan pooja prabhakar prabhu pradeep prakash pramod prasad prashant pratap pratibha praveen pravin preeti prem priyanka purnima pushpa
  rachna radha raghu rahul raj raja rajan rajeev rajendra rajinder rajiv rajkumar raju rakesh ram rama ramachandra ramakrishna raman ramnath rana
  ranjit rashmi ratan rattan raveendra reena rekha renu rishi ritu rohan rohit roopa rupa rupesh sachin sadhana sagar sameer sandhya sangeeta
  sanjana sanjeev santosh sarala saraswati sarita satish satya saurabh savita seema shalini shankar shanti sharad sharda shashi sheela shilpa shiv
  shivaji shobha shreya shubha shyam siddharth sita sivakumar smita sneha sonal sourav srinivas subhash subramaniam sudha sudhir sujata sukhdev
  suman sundar suraj surendra surinder sushil sushma swapna swati tanvi tarun tejas uday uma umesh usha vandana varun vasudha veena venkat
  venkatesh vidya vikas vikram vimal vinay vinod vipin viren virender vishal vishnu vivek yash yashwant yogesh
  # Japanese
  abena achieng adebayo akin akosua ama amadou aminata ayodele babatunde boubacar chidi chika chinedu chinua chukwuemeka emeka fatou ibrahima
  ifeanyi ikechukwu juma kamau kelechi kofi kwabena kwame lerato mamadou moussa ngozi nnamdi nomsa obinna olufemi oluseun oluwaseun otieno oumar
  ousmane sekou sipho thabo themba tunde uche wanjiku yetunde
  # Irish
  akiko akira asuka ayumi chie daisuke emi emiko fumiko haruka haruki haruto hideki hideo hiroaki hiroko hiroshi hiroyuki ichiro junichi junko
  kaori kazuko kazuo kazuya keiko kenichi kenji kenta kiyoshi koichi koji kumiko kyoko makoto mamoru mariko masaaki masahiro masako masao mayumi
  megumi michiko midori minoru miyuki naoki naoko noboru nobuo noriko reiko ryo ryota sachiko satoko satoshi setsuko shigeru shinichi shinji
  shizuka shoji susumu tadashi taichi takahiro takako takashi takeshi takumi taro tatsuya tetsuya tomohiro tomoko toru toshio tsutomu yasuhiro
  yasuko yoko yoshiko yoshio yuichi yuka yuki yukiko yuko yumi yumiko yusuke yutaka
`

/** Given names of many languages. */
export const furtherGivenNames = new Set(byLanguage.replaceAll(/#.*/g, '').trim().split(/\s+/))
