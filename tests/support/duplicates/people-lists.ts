const words = (text: string) => text.trim().split(/\s+/)

/** Common first names first. */
export const menNames = words(`
David John Michael Peter Robert Paul James Andrew Richard Stephen Mark Christopher Ian Alan William Thomas Kevin Brian Anthony Graham
Martin Simon Keith George Colin Philip Daniel Matthew Neil Nicholas Adam Stuart Roger Kenneth Barry Edward Charles Raymond Gary Nigel
Jonathan Timothy Derek Benjamin Joseph Geoffrey Samuel Alexander Donald Trevor Douglas Patrick Ronald Lee Malcolm Gordon Terence Roy
Eric Gareth Dennis Frank Luke Oliver Harry Jack Callum Ryan Craig Dean Duncan Leslie Norman Hugh Rhys Hamish Mohammed Imran Rajesh Sanjay
Tomasz Piotr Giovanni Lars Sven Jürgen François José Owen Ewan Fraser Angus Declan Sean Liam Connor Dominic Julian Adrian Gerald Victor
Albert Stanley Leonard Walter Herbert Cyril Bernard Clive Desmond Rupert Jeremy Lawrence Francis Frederick Arthur Ernest Henry Harold
Toby Giles Miles Felix Hugo Ivan Omar Yusuf Kwame Olu Wei Jin Arjun Vikram Nathan Joshua Jacob Ethan Lewis Kyle Shaun Darren Wayne`)
export const womenNames = words(`
Susan Margaret Sarah Patricia Elizabeth Mary Christine Helen Karen Jacqueline Janet Linda Barbara Jean Julie Anne Jane Catherine Carol
Alison Emma Claire Amanda Deborah Lynn Nicola Joan Sheila Rebecca Sandra Pamela Ann Maureen Victoria Jennifer Samantha Dorothy Rachel
Gillian Caroline Louise Lisa Angela Charlotte Kathleen Diane Wendy Joanne Rosemary Hilary Valerie Sally Judith Hannah Laura Lucy Jessica
Katherine Fiona Heather Alexandra Eleanor Frances Marion Beryl Eileen Irene Doreen Brenda Olive Joyce Sylvia Edith Florence Ruth Marie
Theresa Stephanie Emily Sophie Chloe Amy Olivia Grace Harriet Imogen Philippa Penelope Priya Fatima Aisha Anita Sunita Mei Agnieszka Ewa
Zoë Siân Niamh Aoife Rhiannon Bethan Morag Catriona Ingrid Astrid Françoise Giulia Carmen Yvonne Denise Lorraine Tracey Sharon Paula
Marjorie Winifred Gwendolen Constance Phyllis Muriel Vera Ivy Hazel Rose Daisy Abigail Natalie Kimberley Josephine Vanessa Belinda Tessa
Madeleine Georgina Isabella Matilda Amelia Beatrice Rosalind Miranda Ursula Bridget Geraldine Antonia Leah Naomi Esther Miriam Lydia`)
/** Common surnames first. */
export const surnames = words(`
Smith Jones Taylor Brown Williams Wilson Johnson Davies Robinson Wright Thompson Evans Walker White Roberts Green Hall Wood Jackson Clarke
Hughes Edwards Turner Hill Harris Lewis Martin Cooper Clark Ward Morris Moore King Watson Baker Harrison Morgan Patel Allen James Young
Scott Phillips Mitchell Parker Bennett Cook Lee Carter Shaw Davis Richardson Khan Bailey Bell Collins Kelly Miller Cox Marshall Webb
Simpson Price Anderson Adams Wilkinson Foster Ellis Murphy Chapman Mason Gray Rogers Richards Hunt Lloyd Mills Powell Palmer Stevens Knight
Holmes Barnes Matthews Russell Fletcher Fisher Begum Butler Pearson Graham Dixon Jenkins Hussain Ahmed Graham Gibson Reynolds Murray Ford
Stewart Hudson Andrews Grant Hamilton Payne Armstrong Spencer Cole Elliott Howard Ross Barker Woods Hart Johnston Thomson Reid Lawrence
Campbell MacDonald McKenzie MacLeod Singh Kaur O’Brien O’Connor Ryan Walsh Byrne Doherty Gallagher Sutherland Sinclair Drummond Ferguson
Crawford Cunningham Kerr Burns Fraser Bruce Duncan Hay Innes Lindsay Burnett Trelawney Penrose Tregenza Nancarrow Pascoe Carlyon Polkinghorne
Müller Schröder García Fernández Dubois Lefèvre Rossi Bianchi Kowalski Nowak Novák Jørgensen Ångström Nielsen Hansen Okafor Adeyemi Mensah
Chowdhury Banerjee Iyer Krishnan Fitzgerald Fitzpatrick Featherstonehaugh Cholmondeley Winterbottom Ramsbottom Higginbotham Entwistle
Ashworth Butterworth Hargreaves Sykes Braithwaite Thwaite Postlethwaite Heseltine Appleyard Wetherall Whitaker Whittaker Stephenson
Stevenson Philips Davison Davidson Pearce Pierce Read Reade Browne Greene Smyth Clerk Moor Hewitt Hewlett Bowen Owen Pugh Pritchard Parry
Gwynne Llewellyn Cadwallader Probert Prosser Gough Vaughan Maddox Yardley Oakley Langley Hartley Bentley Bradley Radley Dudley Buckley`)
export const streetNames = words(`
High Station Church Mill Victoria Green Manor Park Queens Kings London York New North South West Main Springfield Windsor Albert Alexandra
Grange Stanley George Broad Chapel Cross School Highfield Woodlands Richmond Kingsway Grove Bridge Hillside Orchard Rectory Vicarage Elm Oak
Ash Beech Cedar Chestnut Willow Hawthorn Lime Poplar Sycamore Maple Holly Rose Primrose Meadow Brook River Lakeside Spring Well Fountain
Castle Abbey Priory Cathedral Market Tudor Stuart Nelson Wellington Waterloo Trafalgar Marlborough Cromwell Gladstone Disraeli Salisbury
Devonshire Norfolk Suffolk Cambridge Oxford Warwick Lancaster Chester Durham Exeter Wells Lincoln Harbour Quay Dock Cliff Beach Marine
Fore Back Silver Gold Iron Cornhill Butter Sheep Fleet Tanner Potter Weaver Baker Smith Cooper Fuller Archer Bowling Cricket`)
export const streetKinds = words(
  'Road Street Road Lane Avenue Close Drive Road Street Way Gardens Crescent Court Place Terrace Grove Hill Square Park',
)
/** Town and its postcode area. */
export const towns = [
  'Fowey PL', 'Plymouth PL', 'Exeter EX', 'Truro TR', 'Bristol BS', 'Bath BA', 'Swindon SN', 'Oxford OX', 'Reading RG', 'Guildford GU',
  'Brighton BN', 'Canterbury CT', 'Maidstone ME', 'London SW', 'London N', 'London SE', 'London W', 'London E', 'London NW', 'Cambridge CB', 'Norwich NR',
  'Ipswich IP', 'Colchester CO', 'Peterborough PE', 'Leicester LE', 'Nottingham NG', 'Derby DE', 'Birmingham B', 'Coventry CV',
  'Worcester WR', 'Hereford HR', 'Shrewsbury SY', 'Stoke-on-Trent ST', 'Chester CH', 'Liverpool L', 'Manchester M', 'Bolton BL',
  'Preston PR', 'Lancaster LA', 'Leeds LS', 'Bradford BD', 'York YO', 'Hull HU', 'Sheffield S', 'Lincoln LN', 'Durham DH',
  'Newcastle upon Tyne NE', 'Sunderland SR', 'Carlisle CA', 'Edinburgh EH', 'Glasgow G', 'Dundee DD', 'Aberdeen AB', 'Inverness IV',
  'Kirkwall KW', 'Cardiff CF', 'Swansea SA', 'Newport NP', 'Bangor LL', 'Belfast BT', 'Omagh BT', 'Southampton SO', 'Portsmouth PO',
  'Bournemouth BH', 'Salisbury SP', 'Taunton TA', 'Gloucester GL', 'Milton Keynes MK', 'Luton LU', 'St Albans AL', 'Chelmsford CM',
] // biome-ignore format: a list
export const villages = words(
  'Polruan Elmswell Oakford Northleigh Barton Upton Weston Thorpe Kirkby Ashby Holme Stoke Compton Hinton Marston',
)
export const companyNames = words(
  'Harbour Fenland Northern Southern Castle Bridge Phoenix Albion Crown Regent Summit Beacon Meridian Sterling Pioneer Anchor Oakwood Ridge Vale Moorland',
)
export const companyTrades = [
  'Nurseries', 'Engineering', 'Books', 'Publishing', 'Museum', 'Hospital', 'Primary School', 'College', 'Library', 'Brewery',
  'Solicitors', 'Architects', 'Motors', 'Foods', 'Textiles', 'Garden Centre', 'Consulting', 'Insurance', 'Theatre', 'Trust',
] // biome-ignore format: a list
export const departments = [
  'Accounts Department',
  'Library',
  'Marketing',
  'Purchasing',
  'Reception',
  'Editorial',
  'Periodicals Section',
]
export const mailHosts = words(
  'gmail.com hotmail.co.uk btinternet.com yahoo.co.uk outlook.com icloud.com sky.com example.org aol.com talktalk.net',
)
