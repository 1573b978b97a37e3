import Mapping
import ObjectModel

extension Shapes {
  /// The place that a path leads to from a root: what an import with that path would begin at; nil if it leads nowhere.
  func place(at path: String, from root: Int32) -> Int32? {
    guard path != "$", let steps = try? JSONKeyPath(path).steps else { return root }
    var index = find(root)
    for step in steps {
      if isSplit(index) { tree.unsplit(index) }
      switch step {
      case .elements, .position:
        if let element = element(of: index) {
          index = element
        } else if self[index].objects == 0 {
          return nil
        }
      case .key(let key):
        guard let next = member(key, of: index) else { return nil }
        index = next
      }
    }
    return index
  }

  /// The place under a key, under any of `data|included`, or under all keys of `*` and `{country}`.
  private func member(_ key: String, of index: Int32) -> Int32? {
    if key == "*" || (key.hasPrefix("{") && key.hasSuffix("}")) {
      if !isDictionary(index) { tree.collapse(index) }
      return element(of: index)
    }
    let found = key.split(separator: "|").compactMap { child(of: index, named: String($0)) }
    for other in found.dropFirst() { tree.merge(found[0], other) }
    return found.first.map(find)
  }
}
