import ObjectModel

/// Finds attributes whose values are in files of their own though the model does not say so.
///
/// How the flag for it is spelled in the archives of models is not known for all versions of Core Data. The values tell as
/// well: each begins with 1, or with 2 and the name of a file, and at least one such file is there.
struct CoreDataExternalSearch {
  /// An attribute, by its places in the model.
  struct Place: Hashable {
    let entity: Int
    let attribute: Int
  }

  /// The attributes that are found.
  private(set) var places: [Place] = []
  /// What was found, as sentences.
  private(set) var notes: [String] = []
  /// Attributes whose values look like names of files that are not there.
  private(set) var problems: [SourceProblem] = []

  private let binding: CoreDataBinding
  private let handle: OpaquePointer
  private let files: CoreDataExternalFiles

  init(_ binding: CoreDataBinding, _ handle: OpaquePointer, _ files: CoreDataExternalFiles) throws {
    self.binding = binding
    self.handle = handle
    self.files = files
    for (index, entity) in binding.schema.model.entities.enumerated() {
      for (place, attribute) in entity.attributes.enumerated()
      where attribute.type == .binary && !attribute.mayBeExternal {
        guard let counts = try counts(of: attribute.name, entity: index) else { continue }
        judge(counts, Place(entity: index, attribute: place), "\(entity.name).\(attribute.name)")
      }
    }
  }

  /// How many values begin with 1, and how many are names of files that are there, and that are not.
  private struct Counts {
    var inRow = 0
    var inFile = 0
    var missing = 0
  }

  /// Counts an attribute's values; nil as soon as one is of another kind.
  private func counts(of attribute: String, entity: Int) throws -> Counts? {
    guard let place = binding.place(inFamilyOf: entity), let column = place.attributes[attribute] else {
      return nil
    }
    let numbers = binding.numbers(of: entity).map(String.init).joined(separator: ", ")
    let name = SQL.quoted(column)
    let statement = try PreparedStatement(
      """
      SELECT substr(\(name), 1, \(Self.longest)) FROM \(SQL.quoted(place.table))
      WHERE \(name) IS NOT NULL AND Z_ENT IN (\(numbers))
      """, on: handle)
    var counts = Counts()
    while try statement.step() {
      guard statement.storage(0) == .blob else { return nil }
      let bytes = statement.text(0)
      switch bytes.first {
      case 1: counts.inRow += 1
      case 2:
        if files.path(named: CoreDataExternalFiles.name(in: bytes)) != nil {
          counts.inFile += 1
        } else if Self.looksLikeReference(bytes) {
          counts.missing += 1
        } else {
          return nil
        }
      default: return nil
      }
    }
    return counts
  }

  /// The longest reference: 2, the name of a file, and a zero.
  private static let longest = 258

  /// Whether bytes are 2, a UUID as text, and maybe a zero.
  private static func looksLikeReference(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count == 37 || bytes.count == 38 && bytes.last == 0 else { return false }
    return bytes.dropFirst().prefix(36).enumerated().allSatisfy { index, byte in
      let character = Character(Unicode.Scalar(byte))
      return [8, 13, 18, 23].contains(index) ? character == "-" : character.isHexDigit
    }
  }

  private mutating func judge(_ counts: Counts, _ place: Place, _ name: String) {
    if counts.inFile > 0 {
      places.append(place)
      notes.append(
        "\(name): \(counts.inFile) of its values \(counts.inFile == 1 ? "is" : "are") in \(files.folderName), though"
          + " the model does not say so")
    } else if counts.missing > 0 {
      let entity = binding.schema.model.entities[place.entity]
      problems.append(
        SourceProblem(
          object: "", entity: entity.name, property: entity.attributes[place.attribute].name,
          expected: "the files of its values in \(files.folderName)",
          found:
            "\(counts.missing) \(counts.missing == 1 ? "value that looks" : "values that look") like names of files"
            + " that are not there",
          action: "kept as they are"))
    } else if counts.inRow > 1 {
      notes.append(
        "\(name): each of its \(counts.inRow) values begins with the byte 1, as values do that may be kept in files;"
          + " the byte is kept, since the model does not say so and there is no such file")
    }
  }
}
