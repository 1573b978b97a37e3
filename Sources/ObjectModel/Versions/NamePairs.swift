/// Which names of one version of a model are which of another.
///
/// A renaming identifier is a key that two versions share. In real models it is often the old name, often left over from
/// an earlier version, and sometimes there twice; so what tells more comes first:
///
/// 1. the same identifier on both sides, where the names are the same too, or where there is one on each side only;
/// 2. an identifier that is the name on the other side, given in the new version;
/// 3. in a circle of names of the old version, each of which has the next one as its identifier, the identifier: the names
///    were swapped, and a new version without identifiers has them back;
/// 4. the same name;
/// 5. an identifier of the old version that is the name in the new one.
struct NamePairs {
  struct Name {
    var name: String
    var identifier: String?
  }

  /// For each name of the new version, the one of the old version; nil if it is new.
  private(set) var oldOfNew: [Int?]
  private var isTaken: [Bool]

  init(old: [Name], new: [Name]) {
    oldOfNew = Array(repeating: nil, count: new.count)
    isTaken = Array(repeating: false, count: old.count)
    let oldByName = Dictionary(old.indices.map { (old[$0].name, $0) }, uniquingKeysWith: { $1 })
    let newByName = Dictionary(new.indices.map { (new[$0].name, $0) }, uniquingKeysWith: { $1 })
    pairIdentifiers(old, new, oldByName)
    for (index, name) in new.enumerated() {
      if let identifier = name.identifier, let other = oldByName[identifier] { pair(index, other) }
    }
    pairCircles(old, new, oldByName, newByName)
    for (index, name) in new.enumerated() {
      if let other = oldByName[name.name] { pair(index, other) }
    }
    for (index, name) in old.enumerated() {
      if let identifier = name.identifier, let other = newByName[identifier] { pair(other, index) }
    }
  }

  private mutating func pairIdentifiers(_ old: [Name], _ new: [Name], _ oldByName: [String: Int]) {
    for (index, name) in new.enumerated() {
      guard let identifier = name.identifier, let other = oldByName[name.name] else { continue }
      if old[other].identifier == identifier { pair(index, other) }
    }
    let oldGroups = groups(old) { !isTaken[$0] }
    let newGroups = groups(new) { oldOfNew[$0] == nil }
    for (identifier, indices) in newGroups where indices.count == 1 {
      guard let others = oldGroups[identifier], others.count == 1 else { continue }
      pair(indices[0], others[0])
    }
  }

  private mutating func pairCircles(
    _ old: [Name], _ new: [Name], _ oldByName: [String: Int], _ newByName: [String: Int]
  ) {
    for start in old.indices {
      var circle: [Int] = []
      var next: Int? = start
      while let index = next, !isTaken[index], !circle.contains(index),
        let identifier = old[index].identifier,
        let target = newByName[identifier], oldOfNew[target] == nil, new[target].identifier == nil
      {
        circle.append(index)
        next = oldByName[identifier]
      }
      guard circle.count > 1, next == start else { continue }
      for index in circle {
        if let identifier = old[index].identifier, let target = newByName[identifier] { pair(target, index) }
      }
    }
  }

  private func groups(_ names: [Name], where isFree: (Int) -> Bool) -> [String: [Int]] {
    var result: [String: [Int]] = [:]
    for index in names.indices where isFree(index) {
      if let identifier = names[index].identifier { result[identifier, default: []].append(index) }
    }
    return result
  }

  private mutating func pair(_ new: Int, _ old: Int) {
    guard oldOfNew[new] == nil, !isTaken[old] else { return }
    oldOfNew[new] = old
    isTaken[old] = true
  }
}

extension NamePairs.Name {
  init(_ entity: Entity) { self.init(name: entity.name, identifier: entity.renamingIdentifier) }
  init(_ attribute: Attribute) { self.init(name: attribute.name, identifier: attribute.renamingIdentifier) }
  init(_ relationship: Relationship) {
    self.init(name: relationship.name, identifier: relationship.renamingIdentifier)
  }
}
