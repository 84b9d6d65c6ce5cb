/*
 * Given names beyond those of further-given-names, of more languages, as `normaliseWord` returns them: less frequent ones, and those of countries whose
 * emigrants read magazines elsewhere. The more of them are known, the fewer names are split in the wrong order.
 */
const byLanguage = `
  # English
  alexa ariana ashton avery bastian bethany brenton caitlin caleb clarence clifford colleen collin corey cyrus darcy darron deirdre dermot dianne
  dylan earl elijah ezra garrett gideon ginger godfrey gwyneth hadley hillary iain isla jared jarrod jasmine jillian kara keira keziah kristof
  kristy lana leland lewin louella lowri lynette madelyn mallory marcy marlon maxim mikayla mindy monty morris nathanael neville ophelia oswin
  owain patience prudence rebekah reuben rex rod rosalind roseanne rowena rusty shauna shelley silas sonya sylvester trisha tyson vikki zane
  # French
  alix aurore charlene corentin edwige flavien guilhem pascale yohann
  # German
  benedikt gisbert gunda hauke heide heidrun jana jannis jasmin konstanze leonhard maximilian natascha nele philipp reto sascha sina trude urs
  vreni wencke wolfhart
  # Dutch and Frisian
  aad auke beatrijs carlijn claartje dieuwke dorien douwe elsbeth esmee ewout foppe froukje godelieve hannie harmen hubrecht iwan jacco janneke
  jantine jelmer jeltje jikke jolanda jort jurjen karlijn kars krijn lenie lex lieve loes margo margreet marjo marnix martijn mien miep nelly
  onno pascalle renske roos siebe siem sjoukje stefaan stijn swen tiemen tijmen tine trijntje ubbo wessel wiebe wietse wietske winnifred ybo ype
  # Scandinavian and Icelandic
  aage aase agnete amalie annbritt annemette arnar arni asbjorn asger aslaug atle aud bente birgir birte birthe bjarni bodil brynjar dagfinn
  ditte eigil eirik ejnar embla erla erle erlend esben espen eyvind finn flemming geir gitte gjermund gorm grete grethe gry gudmund gudmundur
  guri gyda hakon halldor hallgrimur hanne hege helle hilmar hjalmar ingunn iver jeppe johanne jorunn jytte karianne kasper katrine ketil kjartan
  kjetil knud lene line lis lone mads magne mans marte naja odd olafur oluf olve ove palsson ragna ragnheidur randi rigmor rikke roar runa siggi
  sigmund sigurdur silje sissel sophus steen steinunn stine synnove tage thordis thorgerdur tilde tonje torben torhild troels unn vegard
  # Finnish
  aarne aarno aatos aila aimo aira airi alpo annikka annukka ansa anssi anu auli aulis eeli eelis eemeli eeri eetu eevi eila eine elli ensio essi
  eveliina hannele heino heli helja henna hilja iida iiris ilja ilpo immo inkeri isto jaana jani jarkko jarno joni jorma juhana juho jyri kaarlo
  keijo kerttu kimmo kristiina kullervo kyosti leevi lempi lenita maaria maarit mariitta marjaana marjut mauno miika miina milla miro nelli niko
  noora oili onni oskari osmo otso panu perttu petja petteri pietari pihla pilvi pirita raili raisa rauno riikka riku roope saku salla sampo samu
  samuli sanni santeri sauli selja silja simo sinikka siru soili sointu sulo suvi taimi taru teija tero teuvo toini tommi toni topi tuomo unto
  urpo valtteri vappu veijo vieno vilho viljami vuokko
  # Estonian, Latvian and Lithuanian
  aare agnese ain aivar aivars aleksandrs algirdas andrejs andris andrius antanas anti ants ardo arnis artis arturas arturs arunas arvo audrius
  ausra baiba birute dainis daiva danute darius edgars edita eerik egidijus eiki eimuntas endel ene enn ervin evija gediminas giedrius gintaras
  guntis heiki helmen henn herkki igors ilga ilze imants inara indrek inese ineta ingrida ivars jaak jaan janek janis jevgeni juozas jurate juri
  juris kadri kaido kairi kaja kalev kalvis karlis kaspars kazys keit kersti krisjanis kristaps kristjan kulliki laima laimdota laimonas lembit
  liga liina liis linas lolita loreta luule maarika maie mait mare maret margus marika maris mart marts mati meeli meelis mihhail mindaugas
  modris natalja neeme nijole normunds ojars olegs oskars ott paulius peep peeter petras pille piret priit raimonds raivo ramunas ramune rasa
  rein remigijus riina riinu rimantas rimas ritvars ruta sanita saulius sigitas siim silver sirje solvita taavet taavi tarmo tiit tiiu tonis
  toomas triin ugis uldis ulle urmas urve vahur vaida vaidotas valdas valdis valdo veiko vello vidmantas viktoras viktors vilja villu virgilijus
  virginijus vitalijs vytautas vytenis yana zanda zigmantas zita
  # Polish
  aniela bartek bartlomiej bogdana bogumila boleslaw dawid dominika edyta eugeniusz iga iza kasia leokadia marzena patrycja violetta waclaw
  # Czech and Slovak
  alexandr bohumir bretislav cestmir dobromila hedvika jurij kveta ladislava lida lubica lubomira lubor ludovit ludvik matous milota misa
  nikoleta oto otokar pavlina prokop radana radko radoslav rostislav tatana tereza vaclava viktorie vitezslav vladislava vojta vratislav zdena
  zdenko zlata zuza
  # Romanian
  alin alina anamaria aurelian cezar claudiu codrin crina cristinel danut dimitrie dumitru ecaterina eduard eusebiu florica gabi gelu georgiana
  gheorghita gica grigore haralambie horatiu ionela iosif iuliu lenuta leontin lucretia madalina maricel marinela mihnea mugur mugurel narcis
  nelu nicu nicusor petrica petronela rares remus ruxandra sabin sergiu sever silvestru sorina stela stelian titus toader tudor valerian vasilica
  vitalie zamfir
  # of the Balkans, Russia and Ukraine
  agron aleksandrina alen anatolii andrey antonina arben artem asen atanas bakir besnik biljana bisera blagoj bojan bojana borislav borjan
  bozidar bozo branimir bratislav damir daniil danijel danijela dimitar dmitrii dmytro dobrinka dragana dragica dragisa dragoljub dragutin drazen
  dubravka durda dzenan edin egor ekaterina elizaveta emina emir enver evgenia evgenii evgeniya fatmir fatos fedor flamur gjorgji goce gorana
  gorica grigorii hajrudin halyna haris hrvoje ihor ilia ilya iryna ivanka ivaylo jadranka jagoda jakov janez janko jelka jernej josipa jovana
  jovica jure jurica kalina kateryna kiril kosta krasimir kreshnik kresimir ksenia lazar lejla leonid liliya liudmila ljerka ljubo ljubomir
  ljudmila ljupco lora luan lubov lyubov lyudmila maksim marat mariia mateja matjaz mehmed melita milana milenko milivoj miljenko milka milko
  milutin mira mirsad mirza mitja mitko momcilo momir mykhailo nadezhda natalija nataliya nebojsa nedeljko nedzad nermina nikita nikolina ognjen
  oleh olesya pasko pavle pavlo pero petko petya plamen polina primoz rada rade radenko radica rajko ramiz ranko rastislav ratka rumen ruslan
  ruzica safet sandi sanela saso savo sead sefik semir senad slaven slavka slavko slavoljub slobodanka snjezana spomenka srdan srdjan srecko
  stanimir stevan stipe suad svetoslav svetozar taras tea tihana timur tin todor tonci uros valeri valeriy vanja vasilii vasilka vasily vasyl
  velimir veljko vesela veselin viktoriia viktoriya vinko vitali vitalii vladan vladko vladlena vlatko vojislav vyacheslav yaroslav yaroslava
  yevhen yordan yuliya yuriy yury zaim zdravka zeljka zhanna zhivko zlatan zoja zora zorica zvezdana zvonko
  # Hungarian
  adrienn akos andor anett antal arpad barnabas beatrix bernadett bertalan boglarka borbala botond csaba csilla dalma dezso dorottya edina elek
  elemer emese emoke eniko erno etelka fanni fruzsina fulop gellert gergely gergo gizella gusztav gyongyi hajnalka hunor ibolya iren istvanne
  ivett izabella jakab janka jolan juli karola kata katinka kornel lili lilla lorand lukacs marcell marton miksa moricz nandor nikolett nikoletta
  oszkar rebeka reka rozalia sandorne szabina szilard szilveszter tekla terez tihamer tivadar virag zsanett zsigmond zsofi zsombor zsuzsi
  # Greek
  agapi aggeliki aikaterini alekos alexia alexios andriana anestis angeliki antigoni areti argyris aristeidis aristidis aristotelis artemis
  asimina aspasia athanasia athena athina chara charalambos charilaos chrysa chrysanthi chryssanthi damianos danae despina dimos dimosthenis
  dionysios dionysis efi efstathios efthimios efthymia efthymios eftychia electra elisavet elpida emmanouil evaggelia evangelia evi filippos
  foteini fotios fotis fragkiskos galini gerasimos gregoris grigorios grigoris haralambos harilaos iasonas ilias iordanis irini isidora kalliopi
  kallirroi kimon kleopatra konstadinos konstantia kosmas kostantinos kyriaki lambros loukas magdalini makis manos marianthi marios markos melina
  michail miltiadis myrto nefeli nektarios niki nikiforos nikolas olympia orestis panagiota panayiotis pantelis paraskevi pericles periklis
  persephone petroula polyxeni prodromos savvas sokratis sophoklis spiros spyridoula stamatios stamatis stathis stavroula stefanos stergios
  stratos symeon takis tasos telemachos thanassis thanos themis themistoklis theodora theofanis thomai thrasyvoulos triantafyllos tryfon tzeni
  vaggelis vaios vangelis vassiliki vassilios vasso xenia xenofon yanis yiorgos zacharias zafiris zisis
  # Turkish
  abdulkadir adem ahu alaattin alp alpay alper altan arda arzu asli asuman atilla ayca aydan aydin ayfer ayhan aykut aylin aynur aysegul aysel
  aysun aytac bahadir bahar banu baris basak bayram bedri begum bekir belgin berat beril berk berkay berna bilge bilgin bora bulent burcak burcin
  burcu burhan busra cafer cagatay cagla cahit canan caner cavit celal cemal cemil cengiz ceren cevdet ceyda cigdem cihan coskun damla defne
  demet derya didem dilara dilek dogan dogukan durmus duygu ece eda efe egemen ekrem elvan emel emrah emrullah ender enes engin enis eralp
  ercument erdem erdinc erhan erkan erman erol ersin ersoy esin esma evren eylul eyup ezgi fadime fahri faruk fazil ferda feride ferit fethi
  fevzi feyza figen fikret fulya funda furkan galip gamze giray gizem gokce gonca gonul gozde gulcan guldal gulden guliz gulizar gulnur gulsah
  gulseren gulten gunes gursel guven hacer hakki haluk hamdi hamit handan hande harun hasim haydar hayri hazal hikmet hilal hilmi hulusi
  husamettin husnu idil ihsan ilkay ilker ilknur inci ipek irem irfan ismet izzet kaan kamuran kazim kenan koksal kubra kursat kutlu lale latif
  lutfi lutfu mehtap melek melih melike meltem meral merih mert merve mete muammer mucahit muge muhammet muharrem mujde mukaddes mumtaz munevver
  mursel murvet muzaffer nabi naci nadide nail namik nazan nazim necati necdet necla necmettin necmi nejat neslihan nesrin nevin nevzat nezih
  nihal nihan nil nilay nilgun nilufer niyazi nurcan nurdan nurettin nurgul nurhan nursel nursen okay oktay olcay omur orcun ozcan ozge ozgun
  ozgur ozkan pelin pelinsu pervin pinar rabia rahmi rasim refik reha remzi resat reyhan riza rusen rustem sabahattin sadik safak saffet sahin
  sanem sebnem seda sefa sefer selami selda selin sema semih senay senem sengul serap serhan serhat serpil sertac server sevda sevgul sevil
  sevilay sevinc seyit seymen sezai sezen sezer sezgin songul suat sude suheyla sukran sukru suna suphi sureyya taner taylan tekin temel tevfik
  tezcan tugba tugce tuncay tuncer turan turgay turhan turkan ulas ulku ulvi umut vedat vehbi veysel vildan vural yagmur yakup yalcin yaprak
  yekta yeliz yesim yigit yildiray yucel yuksel yunus zekeriya zeki zeliha zerrin ziya zubeyde zuhal
  # Arabic and Persian
  abdelhamid abdelilah abdellah abdelmajid abdelmalek abdelrahman abderrahim abdou abdulkarim abdullahi abed abolfazl adeeb afaf afnan afshin
  ahlam ahmadreza aiman alaeddine alia alireza amal amani amin anahita anis anoush ansar aram arash ardavan ardeshir arezoo arman arya asaad
  ashkan ashraf asieh assem assia atef atefeh athar ayesha ayub azadeh azar azhar azin azita babak badr bahador bahareh bahman bahram baraa basel
  basem basim basma bassam bassem batoul behnam behnaz behrad behrang behrooz behrouz behzad belkacem bijan boutros brahim chadi chafik chokri
  dalal daoud darya daryoush djamel djamila doha ebrahim ehab ehsan elaheh elham emadeddin emna esmaeil essam eyad fahd fahim farahnaz faranak
  faraz fardin farhad farhana farhang fariba farideh faris farnaz farrokh farshad farzad farzaneh farzin fatai fateme fatemeh fathy faycal fayez
  ferdous fereshteh fereydoun feriel firas firoozeh firouz ghada ghaith ghazal gholamreza golnar golnaz habibollah hadeel haitham hajar hala
  haleh hamad hamed hamideh hamidreza hamoud hanaa hanieh hashem hasnaa hatim haya hayat hazem heba hedi heidar hela hend hesam hesham hichem
  hind hoda homa homayoun hooman hormoz hosam hossam hossein houshang hussam ibtissam idris ihab ikram ilham ilyas inas iraj ishaq issam iyad jad
  jafar jala jalil jasim jassim jehad jihad jihane joumana karam kasra katayoun kaveh kawthar kazem keyvan khalida khalifa khosrow kian kianoush
  kiarash kioumars koorosh kourosh laith lamis leyli liyana lotfi loubna lujain mahboubeh mahdieh maher mahin mahnaz mahsa mahtab majda majed
  maliheh mana manal manar mandana mani manijeh manouchehr manoucher marwa marzieh masoud masoumeh massoud maysa mazen mehran mehrdad mehri
  mehrnaz mehrnoosh mehrzad meysam milad mohannad mohsen mojgan mojtaba monir morad morteza mostafa mouna mousa muath muhannad mukhtar nabila
  nader nadereh nagham nahid nahla najat najla najwa naser nashwa nasim nasrin nastaran nawaf nawel nazanin neda negar nejla nesrine nikoo
  niloofar niloufar nima nooshin noushin nuha omid othmane parastoo parham pari parisa parvin parviz payam pedram pegah peyman pooya pouria pouya
  qasim qusai radwan raed rafa rafif raghad rahil rahmat rajaa ramin ramtin ramy ramzi randa raneem ranim raouf rawan raya rayan razieh reem
  reham reyhaneh ridwan rim roozbeh roshanak rouhollah rouzbeh roya ruba ruqayya saad saba sabir sadaf sadegh sadeq saed saeid safaa safwan
  sahand sahel sajad sajid sajjad saleha salwa saman samaneh samar sameh samer samia samih samin samiya samy sanaa sanam sawsan sayed sedigheh
  seifeddine sepideh setareh seyed shabnam shadab shadi shadia shaghayegh shahab shahin shahla shahnaz shahram shahriar shahrokh shahrzad shaima
  sharareh shayan shaymaa sherif sherine shima shirin shiva shohreh shokoufeh siamak siavash siham simin sohail soheil soheila sohrab somaye
  somayeh soroush suha suhail suhair sulaiman suleiman taghreed taher tahereh tahmineh tamer tamim tayeb touraj vahid vajiheh wadih wael waheed
  wala walaa waleed widad wijdan wissam yahia yara yasaman yaseen yaser yashar yazan yazid yosra younis yousef yousif youssra yusra zaher zahid
  zahir zaid zaina zeina zeyad ziba zohreh zuhair
  # Indian
  aakash aarti abdur abhijit abhilash abhimanyu abhinav abhirup achala achyut adarsh akhil akhilesh akshat alka alpana amandeep ambika ameya
  amita amitava amol amruta ananda anandi anik aniket anindita anindya anirban aniruddha anish anitha ankita ankur anmol anoop ansh anshul
  anshuman antara anubhav anuj anupam anupama anurag anusha anushka apoorva aravind archit arindam aritra arnab arpan arpita arti arundhati
  arunima ashima ashoke ashutosh asim asit asmita atanu atul avishek avni ayan ayush balaji balakrishna balakrishnan balasubramanian banani barun
  basant basudev bhagwan bhanu bharati bhargav bhargava bhavana bhavesh bhavin bhavya bhumika bhupendra bhushan bidyut bimal binod bipin birendra
  bishnu biswajit brijesh chaitanya chandan chandana chandni chandrasekhar chandrashekar charu chinmay chirag chitra daksh damini darshan
  darshana dattatraya debashish debasis debasish debjani deepthi deepti dev devang devansh devdas devi devika dhananjay dhaval dheeraj dhiraj
  digvijay diksha dinakar dipak dipali dipankar dipti divyanshu durga eesha ekta esha falguni gagan gajendra gargi garima gayathri gayatri
  geetanjali girija gitanjali gokul gopalakrishna gopi gouri govinda gulab gurdeep gurmeet guru gurudatt hanumant harini harsha harshad harshal
  hema hemalatha hemanta hetal himani himanshu hirak hiren hitendra indrajeet indrajit indranil ishan ishani ishita ishwar jagadeesh jagannath
  jagat jagdeep jai jaideep jaidev janaki janhavi jaspreet jaswant jatinder jaya jayanta jayashree jayesh jayshree jeevan jhanvi jignesh jitendra
  joydeep jyothi jyotirmoy jyotsna kajal kalyan kalyani kamini kanchan kanika karishma karthikeyan kartik karuna kashish kaushal kaushik kausik
  kaustubh kavitha keshav ketaki ketan keya khushboo kirti komal koushik krishnan krishnendu kriti kshitij kumaran lakshman lakshmana lavanya
  laxmi leela lokesh madan madhava madhavi madhuri madhusudan madhusudhan mahima malavika malini mallika manas manasi manav mandar mandeep
  mandira mangesh manikandan manju manjula manjunath manpreet mansi manu mayank mayur medha megha meghna mihir milind minakshi minal mini mita
  mitali mithun mohana mohini moumita mridula mrinal mrityunjay mugdha mukul mukund muralidhar muthu nagaraj nagarajan nagendra nageswara namita
  nandakumar nandan nandita nataraj natarajan navdeep navjot navneet neel neelam neelima neeta neetu nihar niharika nikhita nilanjan nilanjana
  nimisha niranjan nirav nirupama nishant nishi nishith nitesh niti nitish nivedita ojas omkar padmaja padmini pallab pallavi parag paras paresh
  parimal paritosh parminder parth partha parthasarathi parul pavan pavitra piyush poonam poornima prabhat prabir prachi pradip pradnya pragya
  prajwal pranab pranav pranay pranjal prasanna prasanta prasanth prasenjit prashanth prateek prathamesh pratik pratyush prerna pritam prithviraj
  priti priyam priyanshu promod puja pulkit puneet punit purvi rabindra rachit radhakrishna radhika raghav raghavendra raghunath rajagopal rajani
  rajarshi rajashree rajat rajdeep rajib rajneesh rajni rajshree rakhi ramachandran ramakant ramana ramkumar ranajit rangarajan ranjan ranjana
  ranjani rati ratna ravikumar ravinder ravindra richa rimi rina ripan ritesh ritika ritwik riya rohini romesh roshan roshni rucha ruchi ruchika
  rudra rujuta rukmini rupak rupali rupam rushikesh sabyasachi sachchidanand sachi sadanand sadashiv sagnik sahana sahil sai saikat sajal saket
  sakshi samarth samit sampath samrat samyak sanchita sandip sangita sanjib sanjit sanjoy sankalp sankar sanket santanu santhi santhosh santu
  sapna sarangi saranya sarath sarika saritha saroj sarojini sarthak sarvesh sashi sathish sathya satinder satyajit satyam satyanarayana savitri
  sayan sayantan sayantani seetharaman sekhar senthil shailaja shailendra shailesh shakti shakuntala shamik sharath sharmila sharmistha shashank
  shashikant sheetal shekhar shibani shikha shirish shishir shivam shivanand shivani shivkumar shivraj shobhana shomik shounak shraddha shreyas
  shreyasi shrikant shrikanth shrinivas shristi shriya shruti shubham shubhendu shubhra shweta siddhant siddhartha smitha smriti smruti sohini
  soma somnath sonali sonam soumen soumik soumitra soumya soumyadeep sourabh souvik sowmya sreedevi sreedhar sreejith sreekanth sreekumar
  sreenivas sreeram sridevi sridhar srikant srikanth srinath srinivasa sriram srishti srividya subha subhajit subhankar subhasis subir subodh
  subrahmanyam subramanian subrata subroto sucharita suchita suchitra sudarshan sudeep sudeshna sudhakar sudhanshu sudheer sudipta sudipto
  sugandha suhas suhasini sujan sujay sujit sujoy sukanta sukanya sukhwinder sukumar sulekha sulochana sumaiya sumana sumanta sumantra sumathi
  sumeet sumit sumita sunanda sundaram suneeta sunetra suparna supriya supriyo surabhi surajit surbhi surya sushant sushanta susmita sutapa
  suvarna suvendu swagata swami swapan swapnil swarnali swarup swathi sweta tanay tanima tanmay tanmoy tanuja tanushree tapan tapas tapasi
  taranjit tarini tathagata tilak trilok tripti tuhin tulika tulsi tushar udaya udit ujjal ujjwal umang upasana upendra urmila urvashi utkarsh
  utpal utsav uttam vaibhav vaidehi vaishali vaishnavi vamshi vamsi varada vardhan varsha vasant vasanth vasanthi vasu vasudev vasudevan vatsal
  ved vedant venkata venkataraman venkatesan venkateswara venu vibha vibhor vidhi vidhya vidur vignesh vijaya vijayakumar vijayalakshmi vikash
  vikrant vimala vinaya vinayak vineet vineeth vineetha vinit vinita vipul viraj virendra visakh vishakha vishva vishwanath vishwas viswanath
  viswanathan vrinda vrushali yamini yashoda yatin yatish yogendra yogita yuvraj zarna
  # of Pakistan, Bangladesh and Sri Lanka
  aamir aftab ahsan akhtar amjad anila aqsa arshad asghar ashfaq atif attiya ayaz azra babar bilquis bushra chamara chaminda danish dilani
  dilshad dulani ejaz fahmida faiz faizan farrukh farzana fauzia fawad fazal fozia gayan ghazala ghulam gulshan habibur hasnat hina humaira
  humera iftikhar ijaz imtiaz inam inayat indika iqra irum israr jahangir jannat javed javeria junaid kaleem kamrul kanwal kapila kashif kausar
  khuram khurram khurshid lasantha liaqat mahbub mahela mahfuz maleeha malinga mansoor maqsood masood masud mazhar mehnaz mehreen mehwish mizanur
  mobeen mohsin moin moinul mubashir mudassar mujahid mujeeb munawar munazza muneeb murtaza mushfiq mustafizur mustansar muzaffar nabeel nadeem
  naeem nafees nafisa naheed najma nalin naseem nasreen naveed nazia nazma nazmul nazrul nida nighat nimal noman nosheen nusrat nuwan obaid
  obaidur omair owais parveen priyantha qamar quratulain rafiqul razia rehan rehana rizwan rizwana robina rubina ruhul rukhsana rumana ruwan
  saadia sabeen sabiha sadia saeeda saiful saima saira sajida salahuddin samina sanath sanaullah saqib sarfraz sarwar sehrish shabana shabbir
  shafiq shafqat shagufta shahadat shahbaz shahida shahzad shahzeb shaista shakeel shakil shama shamim shamima shamsul shazia shehzad shoaib
  sibtain sidra sikandar sobia sultana suranga syeda tabassum tahir tahira tahmina tanveer tanvir tanzeela tasneem tayyab tazeen thilini thushara
  ubaid udara umair umar umer upul urooj usama uzma wajid waqar waqas waseem yasmeen yousaf zafar zaheer zahida zain zakia zeeshan zia ziaur
  zubair zulfiqar
  # Hebrew
  adi ahuva alon amichai amnon anat arieh ariel ariela arik aryeh avi aviad avigail avihai avital aviv avner avraham avram avshalom ayelet barak
  baruch batya benzion boaz carmel carmit chaim chana chava chaya dafna dalit daphna dekel devora dikla dorit dov dror dudu efraim efrat einat
  eitan elad elazar eli eliav eliezer elisheva eliyahu eran erez esti etgar etti eyal ezer gadi gal galia galit gavriel gershon gidi gila gilad
  gilat giora golan hadar hadas hagai haim hava herzl hila hilla hillel idan ido ifat ilan ilana inbal inbar irit itai itamar itay itzhak itzik
  keren kobi liat lihi lilach limor lior liora liran liron maayan malka mazal meir meirav meital menachem menashe merav meron miki miri mordecai
  mordechai moshe moti motti nachman nachum nadav naftali natan nati neta netanel netta nimrod nir nira nirit nitzan noa noam nogah nurit oded
  ofer ofir ofra omri ophir ora oren orit orli orly orna osnat ottilia pinchas pini rafi rahel ran raviv reut revital rivi rivka roi ronen roni
  ronit rotem ruti ruven sagi sagit sarit sasson sefi shai shaked shalom shani sharona shaul shimon shimshon shira shiri shlomi shlomit shlomo
  shmuel shmulik shoshana shula shulamit sigal sivan smadar tal tali talia tamar tamir tirza tomer tova tsvi tuvia tzachi tzipi tzvi uri uriel
  uzi varda vered yaacov yaakov yacov yael yaffa yafit yair yakov yaniv yarden yariv yaron yehezkel yehoshua yehuda yehudit yeshayahu yifat yigal
  yishai yisrael yitzchak yitzhak yoav yochai yoel yohanan yonatan yoni yoram yosef yossi yotam yuval zahava zeev zehava zev ziv zohar zvi
  # Japanese
  aiko aki akihiko akihiro akihito akinori akio akitoshi ami arata asako asami atsuko atsuo atsushi aya ayaka ayako ayane azusa chiaki chieko
  chiharu chihiro chikako chinatsu chiyoko daichi daiki eiichi eiji eiko eisuke eri eriko etsuko fumi fumie fumihiko fumihiro fumio fumitaka gen
  genki goro hajime hanako haruhiko haruhiro haruko harumi haruo hatsue hayato hideaki hidefumi hidehiko hidehiro hidekazu hideko hidemi hidenori
  hidetaka hidetoshi hideyo hideyuki hikari hikaru hiro hirofumi hirohiko hirokazu hiroki hiromi hiromichi hironobu hironori hirotaka hiroto
  hirotoshi hirotsugu hiroya hiroyoshi hisae hisaji hisaki hisako hisanori hisao hisashi hisato hisayo hisayuki hitomi hitoshi honoka ikuko ikuo
  isamu isao itsuki izumi jiro joji jun junji junpei junya kae kaede kaho kaito kan kana kanae kanako kanji kaoru kaoruko kasumi katsuaki
  katsuhiko katsuhiro katsuki katsumi katsunori katsura katsushi katsutoshi katsuya katsuyuki kayo kayoko kazuaki kazue kazuhiko kazuhiro
  kazuhisa kazuki kazuma kazumi kazunari kazunobu kazunori kazushi kazutaka kazuto kazutoshi kazuyo kazuyoshi kazuyuki kei keigo keiichi
  keiichiro keiji keisuke keita kenichiro kenjiro kenshi kensuke kentaro kimiko kimio kinya kiyoaki kiyomi kiyotaka kohei koki kosei koshi kosuke
  kota kotaro kouhei kouichi kouji kousuke kouta kunihiko kunihiro kunio kyohei kyoji kyosuke madoka maho maiko maki makiko makio mami mamiko
  manabu manami masaharu masahide masahiko masahisa masakatsu masakazu masaki masami masamichi masanobu masanori masaru masashi masataka masato
  masatomo masatoshi masatsugu masaya masayasu masayo masayoshi masayuki masumi matsuko mayu mayuka mayuko mie mieko miho mihoko mikako mikihiko
  mikiko mikio minako minami mineko mio misaki misako misao mitsuaki mitsugu mitsuhiko mitsuhiro mitsuko mitsunori mitsuo mitsuru mitsutoshi
  mitsuyo mitsuyoshi mitsuyuki miwa miwako miyako miyo miyoko mizuho mizuki moe momoka momoko motohiko motohiro motoki motoko motoo motoyuki
  munehiro munetaka mutsuko mutsumi nagahiro nagisa nami namiko nana nanako nanami nao naofumi naohiko naohiro naohisa naomichi naotaka naoto
  naoya naoyuki narumi natsuki natsuko natsumi nobu nobuaki nobuhiko nobuhiro nobuhito nobukazu nobuko nobumasa nobutaka nobuyasu nobuyoshi
  nobuyuki nodoka nori norihiko norihiro norihisa norihito norikazu norimasa norio noritaka noriyasu noriyo noriyoshi noriyuki nozomi nozomu
  osamu rei reiji reika rie rieko rika rikako rikuto rin rintaro rio risa rumi rumiko ruriko ryohei ryoichi ryoji ryoko ryoma ryosuke ryotaro
  ryuichi ryuji ryunosuke ryusuke ryuta ryutaro saburo sachie sachio sadako sadao saki sakiko sakura saori satomi satoru satsuki saya sayaka
  sayoko sayumi sayuri seiichi seiichiro seiji seiko seiya seizo shigeaki shigefumi shigeharu shigehiko shigehiro shigekazu shigeki shigeko
  shigemi shigenobu shigenori shigeo shigetoshi shigeyoshi shigeyuki shiho shingo shinichiro shino shinobu shinsuke shintaro shinya shiori shiro
  shiroh sho shogo shohei shoichi shoichiro shoko shota shotaro shou shouta shozo shuhei shuichi shuji shuko shun shunichi shunji shunsuke
  shuntaro shunya shusuke shuta shuzo soichi soichiro soji sonoko sota souta subaru suguru sumie sumiko sumio suzuko tadaaki tadahiko tadahiro
  tadao tadayoshi tadayuki taeko taiga taiji taiki taisei taisuke taizo takaaki takafumi takaharu takahide takahiko takahisa takahito takamasa
  takanobu takanori takao takaomi takatoshi takaya takayo takayoshi takayuki takehiko takehiro takehito takeo takeru taketo takuji takuma takuo
  takuro takuto takuya tamaki tamami tamiko tamio tamotsu tatsuhiko tatsuhiro tatsuki tatsumi tatsunori tatsuo tatsuro tatsushi teiichi teruaki
  teruhiko teruko terumi teruo teruyoshi teruyuki tetsu tetsuhiro tetsuji tetsuko tetsuo tetsuro tetsushi tetsutaro togo tohru tokiko tokio tokuo
  tomiko tomio tomo tomoaki tomoe tomofumi tomohiko tomohisa tomoka tomokazu tomoki tomomi tomonori tomotaka tomoya tomoyo tomoyoshi tomoyuki
  tooru tosh toshi toshiaki toshifumi toshiharu toshihide toshihiko toshihiro toshikazu toshiki toshiko toshimasa toshimi toshimitsu toshinori
  toshiro toshiya toshiyasu toshiyuki toyohiko toyoko tsugumi tsukasa tsuneo tsuyoshi umeko wakana watal wataru yae yasuaki yasue yasufumi
  yasuhide yasuhiko yasuhisa yasuhito yasuji yasukazu yasumasa yasunari yasunobu yasunori yasuo yasushi yasutaka yasutomo yasuyo yasuyoshi
  yasuyuki yohei yoichi yoichiro yoji yoriko yoshi yoshiaki yoshie yoshifumi yoshiharu yoshihide yoshihiko yoshihiro yoshihisa yoshihito
  yoshikazu yoshiki yoshimasa yoshimi yoshimitsu yoshinobu yoshinori yoshiro yoshitaka yoshito yoshitomo yoshiyasu yoshiyuki yosuke yota youhei
  youichi youji yousuke yua yui yuichiro yuina yuji yujiro yukari yukie yukihiko yukihiro yukihito yukimi yukinari yukino yukinobu yukinori yukio
  yukitaka yuma yumeko yumie yuna yurie yurika yuriko yuta yutaro yuto yuuji yuuki yuya yuzo yuzuru
  # African
  abdoulaye abiodun abiola adama adamu ade adebisi adeola aderonke adetola adewale afolabi aissatou akua alhassan alioune amadi amara aminatou
  aminu anthonia assane awa ayanda ayo babacar bamidele baraka biram bisi bolanle bongani boniface bukola busisiwe cheikh chinelo chinonso chinwe
  chioma chizoba damilola desta dieynaba ebele ebenezer efua ekow elhadji emmanuela enoch esi fadekemi fatoumata femi folake folasade funke
  funmilayo gebre getachew haile hamidou happiness idowu idrissa ify ikenna issa issouf jabulani jelani kagiso kayode kehinde khady koffi kojo
  kouadio kouame kunle kwasi kweku kwesi lamine lindiwe lungile lwazi maimouna makena mamadu mandla mariama mariame mbali mohau mpho mutua mwangi
  nandi nkechi nkosana nonhlanhla nothando ntombi nyambura nyasha olabisi oladapo oladele olamide olaniyi olayinka oluwafemi oluwatosin omotola
  onyekachi ousseynou palesa penda refilwe rotimi rudo saidou salif samba sanele seydou sibusiso siphiwe sithembile sizwe solomon souleymane
  tafadzwa taiwo tapiwa tatenda temitope tendai tesfaye thandeka thandi thokozani thulani tolu tosin tsepo uchenna uzoma wale wambui wanjiru yaa
  yaw yemi yinka yohannes zanele zodwa zola
  # of the Caucasus and Central Asia
  aigerim aigul ainura akmal aleksandre alibek almaz ararat archil armen armine arsen aruzhan ashot askar askhat avto azamat azat baurzhan
  bauyrzhan beka berik botir dato daulet dauren davit dinara eka elchin eldar elene elnur emin erlan gayane gela gevorg ghia gia giga giorgi
  gocha gulnara gulnaz gurgen gvantsa hakob hasmik hayk hovhannes hrachya hripsime ilgar irakli ishkhan jamshid kairat kakha ketevan khatuna
  kuanysh lali lamara lasha lela levan lilit lusine madina maka malkhaz mamuka manana mane manvel mehriban merab mher murad nanuli narine natia
  nato nodar nona nugzar nurlan nursultan otar paata rashad rasul razmik rovshan rustam samvel saodat sargis serik shakhzod shalva shavkat
  sherzod shorena sulkhan tabriz tamaz tamta tariel teimuraz temur tengiz tigran tinatin tornike tural vagif vahagn vahan vahe vakhtang vano
  vardan vazgen vusal yerbol yerlan zaal zaur zaza zhanar zurab
`

export const rarerGivenNames = new Set(byLanguage.replaceAll(/#.*/g, '').trim().split(/\s+/))
