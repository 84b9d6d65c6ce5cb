const words = (text: string): string[] => text.split(/\s*;\s*/).map((word) => word.trim())

interface NameSet {
  women: readonly string[]
  men: readonly string[]
  last: readonly string[]
}

const english: NameSet = {
  women:
    words(`Alice;Amelia;Anne;Barbara;Beth;Bridget;Caroline;Catherine;Claire;Daphne;Deborah;Dorothy;Eleanor;Elizabeth;Emma;Fiona;Frances;
    Georgina;Grace;Hannah;Harriet;Heather;Helen;Imogen;Isobel;Jane;Janet;Jean;Jennifer;Joan;Joanna;Judith;Julia;Karen;Kate;Laura;Linda;Lucy;
    Margaret;Marion;Mary;Maureen;Megan;Nicola;Niamh;Olivia;Pamela;Patricia;Pauline;Rachel;Rebecca;Rosemary;Ruth;Sally;Sarah;Sheila;Sian;
    Susan;Sylvia;Tamsin;Theresa;Valerie;Veronica;Wendy;Winifred;Zoë;Aisha;Priya;Nasreen;Mei;Chiamaka;Oluwaseun`),
  men: words(`Adam;Alan;Alasdair;Andrew;Anthony;Barry;Benjamin;Brian;Callum;Charles;Christopher;Colin;Daniel;David;Dennis;Derek;Donald;Douglas;Edward;
    Eric;Ewan;Francis;Frederick;Gareth;Geoffrey;George;Gordon;Graham;Harold;Henry;Hugh;Iain;Ian;Jack;James;Jeremy;John;Jonathan;Keith;Kenneth;
    Kevin;Lawrence;Leonard;Malcolm;Mark;Martin;Matthew;Michael;Neil;Nicholas;Nigel;Norman;Oliver;Patrick;Paul;Peter;Philip;Raymond;Richard;
    Robert;Roger;Ronald;Roy;Rupert;Simon;Stanley;Stephen;Stuart;Thomas;Timothy;Trevor;Victor;Walter;William;Imran;Rajesh;Tunde;Wei`),
  last: words(`Smith;Jones;Taylor;Brown;Williams;Wilson;Johnson;Davies;Robinson;Wright;Thompson;Evans;Walker;White;Roberts;Green;Hall;Wood;
    Jackson;Clarke;Patel;Khan;Lewis;James;Phillips;Mason;Mitchell;Rose;Davis;Cox;Alexander;Harvey;Begum;Ahmed;Singh;Okafor;Adeyemi;
    Trelawny;Penrose;Nancarrow;Tregenza;Pascoe;Bolitho;Hocking;Fishwick;Ramsbottom;Hebblethwaite;Ogilvie;Macdonald;MacLeod;Campbell;Sinclair;
    Urquhart;Farquharson;Buchanan;Kerr;Llewellyn;Pritchard;Bevan;Cadwallader;O'Brien;O'Neill;Fitzgerald;Gallagher;Byrne;Fairweather;Saltmarsh;
    Attenborough-Finch;Cholmondeley;Featherstonehaugh;Hartley;Bellweather;Winterbourne;Ashdown;Lockwood;Marchbanks;Pettigrew;Quennell;
    Rookwood;Sowerby;Thistlewood;Underhill;Verity;Wetherby;Yardley;Fothergill;Gathercole;Hazeldine;Ironside;Jellicoe;Kitchener;Larkspur;Merryweather`),
}

const sets: Record<string, NameSet> = {
  GB: english,
  DE: {
    women: words('Anke;Birgit;Heike;Ursula;Jutta;Käthe;Sabine;Renate'),
    men: words('Jörg;Klaus;Hans-Peter;Uwe;Günther;Sönke;Matthias;Jürgen'),
    last: words('Müller;Schröder;Böttcher;Großmann;Petersen;Köhler;Jäger;Weiß;von der Heydte;Lüders'),
  },
  FR: {
    women: words('Élodie;Anne-Marie;Solène;Françoise;Maëlle;Hélène'),
    men: words('Loïc;Jean-Luc;Yann;François;Gaël;René'),
    last: words('Le Goff;Guéguen;Lefèvre;Kermarrec;Dubois;Châtelain;Prévost;d’Arcy'),
  },
  NO: {
    women: words('Solveig;Ingrid;Åse;Bjørg'),
    men: words('Øyvind;Bjørn;Håkon;Torbjørn'),
    last: words('Sørensen;Ødegård;Bjørnstad;Håland;Næss'),
  },
  SE: {
    women: words('Åsa;Märta;Birgitta'),
    men: words('Göran;Björn;Håkan'),
    last: words('Lindström;Sjöberg;Åkesson;Öberg'),
  },
  NL: {
    women: words('Marijke;Anneke;Saskia'),
    men: words('Joost;Pieter;Willem'),
    last: words('van den Berg;de Vries;ter Horst;Jansen'),
  },
  ES: {
    women: words('Begoña;Inés;María José'),
    men: words('Íñigo;José;Ramón'),
    last: words('Núñez;Ibáñez;Peña Castro;Muñoz'),
  },
  PL: {
    women: words('Małgorzata;Elżbieta;Agnieszka'),
    men: words('Łukasz;Paweł;Stanisław'),
    last: words('Wałęsa;Wójcik;Kowalczyk;Dąbrowski'),
  },
  IT: { women: words('Chiara;Lucia'), men: words('Niccolò;Giovanni'), last: words('De Luca;Forlì;Esposito') },
  JP: { women: words('Yuko;Haruka'), men: words('Kenji;Satoshi'), last: words('Tanaka;Ōno;Fujimoto') },
}

/** The names usual in a country; English ones where no others are known. */
export function namesOf(country: string): NameSet {
  return sets[country] ?? english
}

export const organisations: readonly string[] =
  words(`Royal Cornwall Yacht Club;The Old Custom House Ltd;Salter & Daughters Boatbuilders;Whitby Town Library;
  National Maritime Archive;Trinity Buoy Wharf Trust;Northern Allotment Federation;Heritage Seed Library;Walled Garden Café Ltd;Ardnamurchan Estate;
  Society of Model and Experimental Engineers (Fenland Branch);Tinker's Forge CIC;Bluebell Primary School;Sea Scouts 4th Falmouth;
  Kittiwake Holiday Lets;The Reading Room, Staithes;Penlee Coastwatch Station;Greenfinger Horticultural College;Polperro Harbour Trustees;
  Eastern Counties Lifeboat Supporters;Orchard & Vine Wholesale Ltd;Ffestiniog Works Apprentices;Museum of Scottish Lighthouses;Hotel Bellavista`)

export const jobTitles: readonly string[] = words(
  'Head Gardener;Harbour Master;Librarian;Retired;Teacher;Marine Engineer;Architect;Editor;Director;Buyer;Secretary;Toolmaker;Chef',
)

export const readerTypes: readonly string[] = words(
  'Individual;Individual;Individual;Trade;Library;School;Complimentary;Gift recipient',
)

export const dataSources: readonly string[] = words(
  'Boat Show 2024;Website;Reader survey;County Show;Swap with partner title;Telephone;Card insert;Bought list 2023;Newsstand coupon',
)
