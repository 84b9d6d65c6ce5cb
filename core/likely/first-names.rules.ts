import { wordHash } from './word-hash.rules.ts'

/** Names and their short forms, one name per line. A short form of several names (Chris, Sam, Alex) is in each of their lines. */
const families = `
robert bob rob bobby robbie bert
william bill will billy willie liam
richard dick rick richie ricky rich
james jim jimmy jamie jem
john jack johnny jon
jonathan jon jonny john
michael mike mick micky mikey
thomas tom tommy
david dave davey dai
edward ed eddie ted ned teddy
edmund ed eddie ned
charles charlie chas chuck
joseph joe joey jo
daniel dan danny
matthew matt matty mat
andrew andy drew
anthony tony ant antony
stephen steve steven stevie
peter pete
christopher chris kit
nicholas nick nicky nicolas
benjamin ben benny
samuel sam sammy
alexander alex sandy alec al alasdair
alistair alasdair al ali
philip phil pip phillip
timothy tim
gregory greg
geoffrey geoff jeffrey jeff
kenneth ken kenny
ronald ron ronnie
donald don donnie
gerald gerry jerry
jeremy jerry jez
leonard len lenny leo
lawrence larry laurie laurence
raymond ray
walter wally walt
frederick fred freddie
francis frank fran
henry harry hal
harold harry hal
george georgie
patrick pat paddy
martin marty
simon si
stanley stan
victor vic
vincent vince
albert bert al
herbert bert herb
alfred alf fred alfie
arthur art
ernest ernie
desmond des
derek del
terence terry
trevor trev
douglas doug
duncan dunc
graham graeme
hugh huw hughie
nathaniel nathan nat nate
zachary zach zac
joshua josh
jacob jake
lucas luke
maxwell max
oliver ollie olly
elizabeth liz beth betty lizzie eliza libby betsy lisa bess elsie
margaret maggie meg peggy marge madge greta daisy rita
catherine kate cathy katie cath kitty
katherine kate kathy katie kath kitty kathryn katharine
susan sue susie suzy
susannah sue susie suzy susanna
patricia pat tricia trish patsy
barbara barb babs
jennifer jen jenny jenni
deborah deb debbie debs debra
christine chris chrissie tina
christina chris chrissie tina
rebecca becky becca beck
victoria vicky vicki tori
jessica jess jessie
samantha sam sammy
alexandra alex sandra sandy lexi
amanda mandy
jacqueline jackie jacqui
judith judy jude
kimberley kim kimberly
pamela pam
sandra sandy
theresa terri tess teresa tessa
valerie val
dorothy dot dottie dolly
eleanor ellie nell nora elinor
helen nell nellie
ellen nell nellie
florence flo florrie
frances fran fanny frankie
gillian gill jill
harriet hattie harri
isabella bella izzy isabel
isobel izzy bella isabel
josephine jo josie
joanne jo joanna joan
lucinda lucy cindy
madeleine maddy maddie
mary molly polly may mae
martha patty mattie
matilda tilly
millicent millie
amelia millie amy
emily em millie emma
nicola nicky nikki
natalie nat
olivia liv livvy
penelope penny
philippa pippa pip
priscilla cilla
rosemary rose rosie
sarah sally sara sal
stephanie steph
sylvia sylvie
abigail abby gail
adelaide addie
agnes aggie
angela angie
annabel bella annie
anne ann annie anna nan
caroline carrie carol
charlotte lottie charlie
constance connie
cynthia cindy
diana di
edith edie
georgina georgie gina
geraldine gerry
gwendolen gwen
henrietta hetty etta
hilary hils
lorraine lori
louise lou
lydia liddy
marjorie marge
maureen mo
michelle shelly
mildred millie
miriam mim
virginia ginny
winifred winnie freda
yvonne eve
`

/** Common names without short forms: two different ones are two people, however similar they look. */
const others = `
adam adrian aidan alan alana allan amber andrea anita anya april arjun ashley audrey austin barry beatrice ben bernard beryl bethan brandon
brenda brendan bret brian bruce bryan bryony callum cameron carl carla carmen carolyn catriona cecil celia chloe claire clara clare clive colin
connor corinne craig cyril damian damien danielle darren dawn dean debra delia denis denise dennis diane dominic donna doreen doris eddie
eileen eira ella ellis elsie eric erica erik erin esme estelle esther ethan eva evan evelyn ewan faith fay felicity felix fiona francesca
freya gareth garth gary gavin gemma gerard giles glen glenda glenn gloria glyn gordon grace guy gwen hamish hannah haydn hayley hazel heather
heidi hester holly howard hugo ian imogen ina iona ira irene iris ivan ivor ivy jack jacqui jade jan jane janet janice janine jason jay jayne
jean jeanette jemima jenna jess jill joan joel josh joy joyce julia julian julie juliet june justin karen karin karl kay keiran keith kelly
kelvin kerry kevin kieran kirsten kirsty kyle laura lauren lee leigh lena leo leon leroy leslie lesley lewis lily lindsay lindsey linda lisa
logan lorna lottie lucy luis luka lyn lynda lynn lynne mabel malcolm marcus maria marian marie marilyn mario marion marjory mark marlene
marvin mason maud maura maurice mavis maxine megan melanie melissa merlin mia miles milly mina moira mona monica morag morgan muriel myra
nadia nadine naomi natasha neil nerys nia nigel niamh nina noel noah norma norman olga olive oscar owen pascal paul paula pauline pearl
petra phoebe phyllis polly rachel rachael ralph ramona raquel reece reg rhys rita robin robyn rodney roger roland rona rory ross rowan roy
ruby rufus rupert russell ruth ryan sabrina sally scott sean seth shane shannon sharon sheila sheena shirley shaun sian sidney silvia sonia
sophia sophie stella stuart stewart tania tanya tara tasha thelma tim tina toby todd tracey tracy trudy una ursula vanessa vera verity vernon
vivian vivien wanda warren wayne wendy wilma yasmin zara zoe petra alistair alison hana hanna emma amy may mae
`

const longForms = new Map<string, string>()
const otherNames = new Set(others.trim().split(/\s+/))
const byName = new Map<string, Set<number>>()
families
  .trim()
  .split('\n')
  .forEach((line, family) => {
    const [long = '', ...short] = line.split(' ')
    for (const name of [long, ...short]) {
      if (!longForms.has(name)) longForms.set(name, long)
      const variants = byName.get(name)
      if (variants) variants.add(family)
      else byName.set(name, new Set([family]))
    }
  })

/** True for two names that one person may use: Bob and Robert, Liz and Beth. */
export function isShortFor(a: string, b: string): boolean {
  const families = byName.get(a)
  if (!families) return false
  const others = byName.get(b)
  if (!others) return false
  for (const family of families) if (others.has(family)) return true
  return false
}

/**
 * The known names as bit masks: two names without a common bit are not short forms of each other. Each family has one of thirty bits; any other name
 * has one by its hash.
 */
const bitsOfNames = new Map<string, number>()
for (const name of otherNames) bitsOfNames.set(name, 1 << (wordHash(name) % 30))
for (const [name, variants] of byName)
  bitsOfNames.set(
    name,
    [...variants].reduce((bits, family) => bits | (1 << (family % 30)), 0),
  )

/** The bits of a first name; 0 if it is not a known name. */
export function firstNameBits(name: string): number {
  return bitsOfNames.get(name) ?? 0
}

/** True for a known name: two different known names are two names, not one with a typing error. */
export function isKnownFirstName(name: string): boolean {
  return byName.has(name) || otherNames.has(name)
}

/** The long form of a name, such as Robert for Bob; the name itself if it is no short form. */
export function longForm(name: string): string {
  return longForms.get(name) ?? name
}
