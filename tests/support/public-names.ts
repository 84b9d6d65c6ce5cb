/**
 * Names of people in public life, and of firms and couples, written from general knowledge for this project, in the forms that reader files have.
 * Each line is the full name, the title, the first name and the last name; a line with the full name alone is a name that must be left unchanged.
 */
export const publicNames = `
Angela Merkel||Angela|Merkel
Dr. Angela Merkel|Dr.|Angela|Merkel
MERKEL, ANGELA||Angela|Merkel
Olaf Scholz||Olaf|Scholz
Frau Ursula von der Leyen|Frau|Ursula|von der Leyen
von der Leyen, Ursula||Ursula|von der Leyen
Frank-Walter Steinmeier||Frank-Walter|Steinmeier
Prof. Dr. Christian Drosten|Prof. Dr.|Christian|Drosten
Emmanuelle Charpentier||Emmanuelle|Charpentier
Emmanuel Macron||Emmanuel|Macron
M. Emmanuel Macron|M.|Emmanuel|Macron
MACRON Emmanuel||Emmanuel|Macron
Mme Simone Veil|Mme|Simone|Veil
François Mitterrand||François|Mitterrand
Valéry Giscard d'Estaing||Valéry|Giscard d'Estaing
Charles de Gaulle||Charles|de Gaulle
DE GAULLE, CHARLES||Charles|de Gaulle
Dominique de Villepin||Dominique|de Villepin
Christine Lagarde||Christine|Lagarde
Simone de Beauvoir||Simone|de Beauvoir
Albert Camus||Albert|Camus
Marie Curie||Marie|Curie
Winston Churchill||Winston|Churchill
Sir Winston Churchill|Sir|Winston|Churchill
Churchill, Sir Winston|Sir|Winston|Churchill
Margaret Thatcher||Margaret|Thatcher
THATCHER, MARGARET||Margaret|Thatcher
Rt Hon Gordon Brown|Rt Hon|Gordon|Brown
Tony Blair||Tony|Blair
David Cameron||David|Cameron
Mrs Theresa May|Mrs|Theresa|May
Dame Agatha Christie DBE|Dame|Agatha|Christie
Virginia Woolf||Virginia|Woolf
George Bernard Shaw||George Bernard|Shaw
J. K. Rowling||J. K.|Rowling
C. S. Lewis||C. S.|Lewis
H. G. Wells||H. G.|Wells
P. D. James||P. D.|James
A. S. Byatt||A. S.|Byatt
Prof. Stephen Hawking|Prof.|Stephen|Hawking
Hawking, Stephen W.||Stephen W.|Hawking
Rosalind Franklin||Rosalind|Franklin
Ralph Vaughan Williams||Ralph|Vaughan Williams
Tim Berners-Lee||Tim|Berners-Lee
Sir Tim Berners-Lee OM|Sir|Tim|Berners-Lee
David Lloyd George||David|Lloyd George
Seamus Heaney||Seamus|Heaney
Mary Robinson||Mary|Robinson
Michael D. Higgins||Michael D.|Higgins
Éamon de Valera||Éamon|de Valera
Sinéad O'Connor||Sinéad|O'Connor
Nuala O'Faolain||Nuala|O'Faolain
Barack Obama||Barack|Obama
Barack H. Obama||Barack H.|Obama
OBAMA, BARACK H||Barack H|Obama
Michelle Obama||Michelle|Obama
John F. Kennedy||John F.|Kennedy
Kennedy, John F., Jr.||John F.|Kennedy
Robert F. Kennedy Jr.||Robert F.|Kennedy
George W. Bush||George W.|Bush
George H. W. Bush||George H. W.|Bush
Franklin D. Roosevelt||Franklin D.|Roosevelt
ROOSEVELT, ELEANOR||Eleanor|Roosevelt
Martin Luther King Jr.||Martin Luther|King
Rev. Martin Luther King, Jr.|Rev.|Martin Luther|King
Dwight D. Eisenhower||Dwight D.|Eisenhower
General Colin Powell|General|Colin|Powell
Sandra Day O'Connor||Sandra Day|O'Connor
Ruth Bader Ginsburg||Ruth Bader|Ginsburg
Harry S. Truman||Harry S.|Truman
Ernest Hemingway||Ernest|Hemingway
F. Scott Fitzgerald||F. Scott|Fitzgerald
Toni Morrison||Toni|Morrison
Ursula K. Le Guin||Ursula K.|Le Guin
Dr. Jonas Salk, M.D.|Dr.|Jonas|Salk
Carl Sagan, Ph.D.||Carl|Sagan
Richard P. Feynman||Richard P.|Feynman
Sally Ride||Sally|Ride
Alexandria Ocasio-Cortez||Alexandria|Ocasio-Cortez
Justin Trudeau||Justin|Trudeau
Pierre Trudeau||Pierre|Trudeau
Margaret Atwood||Margaret|Atwood
Alice Munro||Alice|Munro
Jacinda Ardern||Jacinda|Ardern
The Hon. Julia Gillard|The Hon.|Julia|Gillard
Bob Hawke||Bob|Hawke
Peter Carey||Peter|Carey
Mark Rutte||Mark|Rutte
Drs. Jan Peter Balkenende|Drs.|Jan Peter|Balkenende
Dhr. Geert Wilders|Dhr.|Geert|Wilders
Vincent van Gogh||Vincent|van Gogh
Gogh, Vincent van||Vincent|van Gogh
Maarten van der Weijden||Maarten|van der Weijden
Hella Haasse||Hella|Haasse
Herman Van Rompuy||Herman|Van Rompuy
Guy Verhofstadt||Guy|Verhofstadt
Sr. Pedro Sánchez|Sr.|Pedro|Sánchez
Pedro Sánchez Pérez-Castejón||Pedro|Sánchez Pérez-Castejón
Felipe González Márquez||Felipe|González Márquez
José Luis Rodríguez Zapatero||José Luis|Rodríguez Zapatero
Mariano Rajoy Brey||Mariano|Rajoy Brey
Federico García Lorca||Federico|García Lorca
Miguel de Cervantes||Miguel|de Cervantes
Gabriel García Márquez||Gabriel|García Márquez
GARCÍA MÁRQUEZ, GABRIEL||Gabriel|García Márquez
Mario Vargas Llosa||Mario|Vargas Llosa
Isabel Allende||Isabel|Allende
Michelle Bachelet||Michelle|Bachelet
Octavio Paz||Octavio|Paz
Sra. Claudia Sheinbaum|Sra.|Claudia|Sheinbaum
António Guterres||António|Guterres
José Manuel Durão Barroso||José Manuel|Durão Barroso
Aníbal Cavaco Silva||Aníbal|Cavaco Silva
José Saramago||José|Saramago
Luiz Inácio Lula da Silva||Luiz Inácio|Lula da Silva
Fernando Henrique Cardoso||Fernando Henrique|Cardoso
Dott. Mario Draghi|Dott.|Mario|Draghi
Mario Draghi||Mario|Draghi
Sergio Mattarella||Sergio|Mattarella
On. Giorgia Meloni|On.|Giorgia|Meloni
Umberto Eco||Umberto|Eco
Leonardo da Vinci||Leonardo|da Vinci
Rita Levi-Montalcini||Rita|Levi-Montalcini
Primo Levi||Primo|Levi
Natalia Ginzburg||Natalia|Ginzburg
Giuseppe Tomasi di Lampedusa||Giuseppe|Tomasi di Lampedusa
Olof Palme||Olof|Palme
Astrid Lindgren||Astrid|Lindgren
Dag Hammarskjöld||Dag|Hammarskjöld
Gro Harlem Brundtland||Gro Harlem|Brundtland
Jens Stoltenberg||Jens|Stoltenberg
Niels Bohr||Niels|Bohr
Karen Blixen||Karen|Blixen
Sanna Marin||Sanna|Marin
Tove Jansson||Tove|Jansson
Donald Tusk||Donald|Tusk
Lech Wałęsa||Lech|Wałęsa
Wisława Szymborska||Wisława|Szymborska
Václav Havel||Václav|Havel
Milan Kundera||Milan|Kundera
Viktor Orbán||Viktor|Orbán
Nelson Mandela||Nelson|Mandela
Desmond Tutu||Desmond|Tutu
Nadine Gordimer||Nadine|Gordimer
Kofi Annan||Kofi|Annan
Indira Gandhi||Indira|Gandhi
Shri Narendra Modi|Shri|Narendra|Modi
Arundhati Roy||Arundhati|Roy
Amartya Sen||Amartya|Sen
Salman Rushdie||Salman|Rushdie
Orhan Pamuk||Orhan|Pamuk
Elif Shafak||Elif|Shafak
Golda Meir||Golda|Meir
Amos Oz||Amos|Oz
Bill and Melinda Gates
Mr and Mrs Obama
Pierre et Marie Curie
Bill & Hillary Clinton
Siemens AG
Royal Dutch Shell plc
Marks and Spencer
Deutsche Bank AG
Banco Santander S.A.
The British Library
University of Oxford
Mao Zedong
Nguyen Van Anh
Madonna
Voltaire
`
  .trim()
  .split('\n')
  .map((line) => {
    const [fullName = '', title = '', firstName = '', lastName = ''] = line.split('|')
    return { fullName, parts: line.includes('|') ? { title, firstName, lastName } : null }
  })
