/** A town as a reader there writes the address. `#` stands for a digit, `@` for a letter of the postcode. */
interface Place {
  city: string
  postCode: string
  state?: string
}

interface Country {
  code: string
  /** How often a reader lives there, in per mille. */
  weight: number
  places: readonly Place[]
  streets: readonly string[]
  /** Most of Europe puts the number after the street. */
  numberAfterStreet?: boolean
  dialling: string
}

const towns = (text: string): Place[] =>
  text.split(';').map((part) => {
    const [city = '', postCode = '', state] = part.split('|').map((piece) => piece.trim())
    return state ? { city, postCode, state } : { city, postCode }
  })

const british: Country = {
  code: 'GB',
  weight: 700,
  dialling: '01632 960###',
  places: towns(
    `Falmouth|TR11 #@@;Whitby|YO21 #@@;St Ives|TR26 #@@;Oban|PA34 #@@;Tenby|SA70 #@@;Cromer|NR27 #@@;Padstow|PL28 #@@;Whitstable|CT5 #@@;
    Brighton|BN1 #@@;Hastings|TN34 #@@;Bristol|BS6 #@@;Leeds|LS6 #@@;Sheffield|S11 #@@;York|YO24 #@@;Edinburgh|EH6 #@@;Glasgow|G12 #@@;
    Cardiff|CF11 #@@;Belfast|BT9 #@@;London|SE15 #@@;London|N16 #@@;London|E8 #@@;London|W1D #@@;Manchester|M20 #@@;Bath|BA1 #@@;Exeter|EX4 #@@;
    Norwich|NR2 #@@;Ipswich|IP4 #@@;Plymouth|PL4 #@@;Portsmouth|PO4 #@@;Aberystwyth|SY23 #@@;Lyme Regis|DT7 #@@;Deal|CT14 #@@;
    Aldeburgh|IP15 #@@;St Andrews|KY16 #@@;Ullapool|IV26 #@@;Inverness|IV2 #@@;Newcastle upon Tyne|NE2 #@@;Durham|DH1 #@@;
    Carlisle|CA1 #@@;Kendal|LA9 #@@;Chester|CH1 #@@;Shrewsbury|SY1 #@@;Hereford|HR1 #@@;Oxford|OX4 #@@;Cambridge|CB1 #@@;
    Derby|DE1 #@@;Nottingham|NG7 #@@;Lincoln|LN1 #@@;Stroud|GL5 #@@;Totnes|TQ9 #@@;Penzance|TR18 #@@;Lerwick|ZE1 #@@;Kirkwall|KW15 #@@`,
  ),
  streets:
    `High Street;Church Lane;Station Road;Mill Lane;Quay Street;The Green;Victoria Road;Chapel Row;Harbour View;Manor Close;Fore Street;
    Albert Terrace;Orchard Way;Back Lane;King Street;North Parade;Bridge Street;Castle Road;Meadow Rise;Coastguard Cottages;Cliff Road;Park Avenue;
    Old Rectory Gardens;Windmill Hill;St Mary's Road;Nelson Street;Priory Close;Sea View Terrace`
      .split(';')
      .map((street) => street.trim()),
}

const others: readonly Country[] = [
  {
    code: 'IE',
    weight: 55,
    dialling: '+353 1 ### ####',
    places: towns(
      'Dublin|D04 @#@#;Cork|T12 @#@#;Galway|H91 @#@#;Limerick|V94 @#@#;Dingle|V92 @#@#;Kinsale|P17 @#@#;Sligo|F91 @#@#',
    ),
    streets: ['Strand Road', 'Main Street', "O'Connell Street", 'Harbour Road', 'St Patrick’s Terrace'],
  },
  {
    code: 'DE',
    weight: 45,
    dialling: '+49 40 #######',
    numberAfterStreet: true,
    places: towns('Hamburg|20###;Kiel|241##;Berlin|104##;München|803##;Köln|506##;Lübeck|235##;Düsseldorf|402##'),
    streets: ['Hafenstraße', 'Lindenallee', 'Goethestraße', 'Am Alten Markt', 'Schillerplatz', 'Große Bleichen'],
  },
  {
    code: 'FR',
    weight: 35,
    dialling: '+33 2 ## ## ## ##',
    places: towns('Brest|292##;Saint-Malo|354##;Nantes|440##;Paris|750##;Lyon|690##;Concarneau|299##'),
    streets: [
      'rue des Écluses',
      'quai de la Fosse',
      'rue du Général-de-Gaulle',
      'allée des Chênes',
      "place de l'Église",
    ],
  },
  {
    code: 'NO',
    weight: 18,
    dialling: '+47 55 ## ## ##',
    numberAfterStreet: true,
    places: towns('Bergen|50##;Ålesund|60##;Tromsø|90##;Oslo|01##;Bodø|80##'),
    streets: ['Strandgata', 'Skolebakken', 'Nordre Øvregate', 'Kirkegata'],
  },
  {
    code: 'NL',
    weight: 18,
    dialling: '+31 20 ### ####',
    numberAfterStreet: true,
    places: towns('Amsterdam|10## @@;Den Haag|25## @@;Enkhuizen|16## @@;Utrecht|35## @@'),
    streets: ['Prinsengracht', 'Havenkade', 'Dorpsstraat', 'Molenweg'],
  },
  {
    code: 'ES',
    weight: 10,
    dialling: '+34 981 ### ###',
    places: towns('A Coruña|150##;Cádiz|110##;Donostia|200##;Logroño|260##'),
    streets: ['Calle del Puerto', 'Avenida de la Constitución', 'Rúa Nova', 'Paseo Marítimo'],
  },
  {
    code: 'PL',
    weight: 9,
    dialling: '+48 58 ### ## ##',
    places: towns('Gdańsk|80-###;Łódź|90-###;Kraków|30-###'),
    streets: ['ul. Długa', 'ul. Świętojańska', 'al. Niepodległości'],
    numberAfterStreet: true,
  },
  {
    code: 'SE',
    weight: 9,
    dialling: '+46 31 ### ## ##',
    numberAfterStreet: true,
    places: towns('Göteborg|411 ##;Malmö|211 ##;Marstrand|440 3#'),
    streets: ['Hamngatan', 'Kungsgatan', 'Åvägen'],
  },
  {
    code: 'IT',
    weight: 7,
    dialling: '+39 010 ### ####',
    places: towns('Genova|161##;Trieste|341##'),
    streets: ['Via del Molo', 'Piazza della Libertà'],
  },
  {
    code: 'US',
    weight: 48,
    dialling: '(207) 555-01##',
    places: towns(
      'Portland|041##|ME;Mystic|06355|CT;Seattle|981##|WA;Gloucester|01930|MA;Annapolis|214##|MD;San Francisco|941##|CA;Boothbay Harbor|04538|ME;Brooklyn|112##|NY',
    ),
    streets: ['Commercial Street', 'Wharf Street', 'Maple Avenue', 'Ocean Boulevard', 'Main Street', 'Elm Street'],
  },
  {
    code: 'CA',
    weight: 18,
    dialling: '+1 902 555 01##',
    places: towns('Halifax|B3H #@#|NS;Vancouver|V6B #@#|BC;Lunenburg|B0J 2C0|NS;Québec|G1R #@#|QC'),
    streets: ['Water Street', 'Barrington Street', 'Rue Saint-Jean', 'Dundas Street West'],
  },
  {
    code: 'AU',
    weight: 16,
    dialling: '+61 3 #### ####',
    places: towns('Hobart|70##|TAS;Fremantle|6160|WA;Geelong|3220|VIC;Sydney|20##|NSW'),
    streets: ['Salamanca Place', 'Marine Parade', 'Collins Street'],
  },
  {
    code: 'NZ',
    weight: 8,
    dialling: '+64 3 ### ####',
    places: towns('Dunedin|90##;Nelson|70##;Whangārei|01##'),
    streets: ['Princes Street', 'Haven Road', 'Rata Street'],
  },
  {
    code: 'JP',
    weight: 4,
    dialling: '+81 45 ### ####',
    places: towns('Yokohama|231-00##|Kanagawa;Kobe|650-00##|Hyogo'),
    streets: ['Yamashita-cho', 'Kitano-cho'],
  },
]

export const countries: readonly Country[] = [british, ...others]

/** British Forces addresses: no town, a postcode that looks like nothing else. */
export const forces: readonly { unit: string; postCode: string }[] = [
  { unit: 'BFPO 58', postCode: 'BF1 2AT' },
  { unit: 'BFPO 57', postCode: 'BF1 2AU' },
  { unit: 'HMS Protector', postCode: 'BFPO 367' },
]
