import Mapping
import ObjectModel

/// A list of objects of several entities that documents are known to have. Each object says by the word under a key of which one it is.
package struct MixedList: Sendable {
  /// The keys on the way from the root to the list.
  private let path: [String]
  let kindKey: String

  /// Nil if documents have none, or if a dialect says where it is.
  init?(_ document: DocumentMapping, _ dialect: Dialect?) {
    // try?: a path that cannot be read is an error of the import.
    guard dialect == nil, let kindKey = document.kind, let path = try? JSONKeyPath(document.root ?? "").steps
    else { return nil }
    let keys = path.compactMap { step -> String? in if case .key(let key) = step { key } else { nil } }
    guard keys.count == path.count else { return nil }
    self.path = keys
    self.kindKey = kindKey
  }

  /// The list of a format that has objects of any kinds in it, whatever came so far: the elements of maps, as Overpass answers with them,
  /// and the objects in bundles of STIX. Nil if none of some roots is such a document.
  init?(ofFormatOf roots: [Int32], _ shapes: Shapes) {
    func hasList(_ root: Int32, _ key: String) -> Bool {
      shapes.child(of: root, named: key).map { shapes[$0].lists > 0 } ?? false
    }
    if roots.contains(where: { shapes.isMap($0) && hasList($0, "elements") }) {
      path = ["elements"]
    } else if roots.contains(where: shapes.isBundle) {
      path = ["objects"]
    } else {
      return nil
    }
    kindKey = "type"
  }

  /// The places of its objects in documents with some roots.
  func elements(in roots: [Int32], _ shapes: Shapes) -> Set<Int32> {
    Set(
      roots.compactMap { root in
        var place: Int32? = root
        for key in path { place = place.flatMap { shapes.child(of: $0, named: key) } }
        guard let place, let element = shapes.element(of: place) ?? (path.isEmpty ? place : nil) else {
          return nil
        }
        let isMeant =
          shapes.isSplit(element)
          ? shapes.tree.text(ofKey: shapes[element].kindKey) == kindKey
          : shapes.child(of: element, named: kindKey) != nil
        return isMeant ? shapes.find(element) : nil
      })
  }

  /// The one word that all objects of a place say; nil if they say several, or if one says none.
  func onlyKind(of index: Int32, _ shapes: Shapes) -> String? {
    guard !shapes.isSplit(index), let child = shapes.child(of: index, named: kindKey),
      shapes[child].strings == shapes[index].objects, shapes[child].values.count == 1
    else { return nil }
    return shapes.tree.samples[shapes.find(child)]?.first
  }
}
