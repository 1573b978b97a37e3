/// The words that names, addresses and texts are made of.
enum Words {
  /// First names, as written and as an e-mail address has them.
  static let first = pairs(
    """
    Ada Alan Alice Amara Anders Anja Arthur Astrid Beatriz=beatriz Björn=bjorn Carla Chloé=chloe Claude Daniela
    David Diego Edith Elena Élodie=elodie Emeka Eva Fatima Felix Fiona Gabriel Grace Hana Henrik Hiroshi Ines
    Irene Ivan Jana João=joao Johanna Jürgen=jurgen Kaito Karin Kofi Lars Leila Lucía=lucia Magnus Mai Marek
    Marie Mateo Mina Nadia Nikolai Nora Olga Omar Paolo Petra Quentin Rosa Samuel Selma Søren=soren Tariq Uma
    Viktor Wanda Yusuf Zoë=zoe
    """)

  /// Last names, likewise.
  static let last = pairs(
    """
    Abbott Aguilar Almeida Andersen Baker Barbieri Becker Bergström=bergstrom Blanc Carvalho Castillo Chandra
    Christensen Czerny Dubois Eriksson Fernández=fernandez Fischer Fontaine Fujita Garcia Grünwald=grunwald
    Haddad Hansen Hernández=hernandez Hoffmann Ibrahim Ivanova Jansen Johansson Kamara Karlsson Kowalski Lambert
    Larsen Lindqvist Lopez Martinez Mbeki Mensah Meyer Moreau Müller=muller Nakamura Nguyen Novak Okafor Olsen
    Pereira Petrov Quinn Ramirez Rossi Sato Schneider Silva Sørensen=sorensen Suzuki Tanaka Vasquez Wagner
    Watanabe Weber Williams Yamamoto Zimmermann
    """)

  static let plain = split(
    """
    about after almost always among another around because before behind between bicycle bridge candle city
    coffee garden harbour history island kitchen letter library machine market memory morning mountain music
    never number often orchard paper piano quiet railway river several silver since station street summer
    table through together tomorrow travel under village water weather window winter without writing
    """)

  static let fields = split(
    """
    Industrial Commercial Distributed Regulatory Electrical Mechanical Environmental International Statistical
    Organisational Architectural Financial Agricultural Pharmaceutical Residential Operational Educational
    Administrative Experimental Computational
    """)

  static let subjects = split(
    """
    refrigeration-and-plant-maintenance distributed-systems-engineering contract-negotiation-and-law
    quality-assurance-and-inspection accounting-and-bookkeeping procurement-and-purchase-planning
    risk-assessment-and-insurance workplace-mediation-and-training technical-draughtsmanship
    logistics-and-freight-coordination
    """)

  private static func split(_ text: String) -> [[UInt8]] {
    text.split(whereSeparator: \.isWhitespace).map { Array($0.utf8) }
  }

  private static func pairs(_ text: String) -> [(written: [UInt8], address: [UInt8])] {
    text.split(whereSeparator: \.isWhitespace).map { word in
      let parts = word.split(separator: "=")
      return (Array(parts[0].utf8), Array((parts.count > 1 ? String(parts[1]) : word.lowercased()).utf8))
    }
  }
}
