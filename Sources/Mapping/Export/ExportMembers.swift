import JSONStream
import ObjectModel

extension JSONWriter {
  /// Begins what has some members: an object, or a list.
  @inline(__always)
  mutating func begin(_ members: ExportPlan.Members) {
    if members.isList { beginArray() } else { beginObject() }
  }

  @inline(__always)
  mutating func end(_ members: ExportPlan.Members) {
    if members.isList { endArray() } else { endObject() }
  }
}

extension ExportPlan {
  /// The members of an object in their order.
  ///
  /// Members whose values are written by their type alone are also kept in memory without references, since they are
  /// gone through for every object and counting references would cost more than writing.
  final class Members {
    let list: [Member]
    /// Whether they are the elements of a list, and have no keys.
    let isList: Bool
    /// Whether all are values.
    let areValues: Bool
    private let values: UnsafeMutablePointer<PlainValue>
    private let keys: UnsafeMutablePointer<UInt8>

    /// A member whose value is written by its type alone.
    struct PlainValue: BitwiseCopyable {
      /// The key with its quotes and its colon. It is valid as long as the members exist.
      let key: UnsafeBufferPointer<UInt8>
      let column: Int
      let kind: Conversion.Kind
      /// Whether the member is of this kind. If not, the rest has no meaning.
      let isPlain: Bool
    }

    init(_ list: [Member], isList: Bool = false) {
      self.list = list
      self.isList = isList
      values = .allocate(capacity: max(list.count, 1))
      keys = .allocate(capacity: max(list.reduce(0) { $0 + $1.key.count }, 1))
      var end = keys
      var areValues = true
      for (index, member) in list.enumerated() {
        end.update(from: member.key, count: member.key.count)
        let key = UnsafeBufferPointer(start: end, count: member.key.count)
        end += member.key.count
        guard case .value(let column, let form) = member.content else {
          areValues = false
          (values + index).initialize(to: PlainValue(key: key, column: 0, kind: .json, isPlain: false))
          continue
        }
        (values + index).initialize(
          to: PlainValue(key: key, column: column, kind: form.kind, isPlain: form.isPlain))
      }
      self.areValues = areValues
    }

    deinit {
      values.deallocate()
      keys.deallocate()
    }

    /// The relationships that are written by the members and those within them.
    var relationships: Set<Int> {
      Set(
        list.flatMap { member -> [Int] in
          switch member.content {
          case .relationship(let index, _), .links(let index): [index]
          case .object(let inner), .wholeObject(_, _, let inner): Array(inner.relationships)
          case .gathered(let gathered): Array(Members(gathered.map(\.member)).relationships)
          case .polymorphic(let links), .polymorphicList(let links, _): links.parts.map(\.relationship)
          case .value, .gap, .linkKind, .kind: []
          }
        })
    }

    /// Whether one of the members has a key.
    func hasKey(_ key: String) -> Bool { list.contains { $0.step == .key(key) } }

    /// How the member at an index is written, which must be one of the list.
    @inline(__always)
    func plainValue(at index: Int) -> PlainValue {
      assert(index >= 0 && index < list.count)
      return values[index]
    }
  }
}
