import Bytes
import JSONStream
import ObjectModel
import ObjectStore

/// Targets that stand inside the value of a relationship's key: `{"data": {…}}`, `{"edges": [{"node": {…}}]}`.
extension RecordReader {
  /// Reads the links of a relationship from an object, whose opening brace was just read, that holds the targets. If it
  /// does not, it is a target itself, or says nothing of them.
  mutating func readInside(
    _ paths: TargetPaths, of relationship: RelationshipPlan, at key: KeyPlace, step: PathStep
  ) throws(JSONError) {
    let outside = json.depth - 1
    for path in paths.paths where path.steps.first != .elements {
      let start = json.checkpoint()
      let plain = path.steps.prefix { $0 != .elements }
      if let token = try follow(plain) {
        json.release(start)
        let step = self.step(batch.text(of: step) + plain.map(\.text).joined())
        try readTargets(token, path.steps[plain.count...], of: relationship, at: key, step: step)
        while json.depth > outside { _ = try json.next() }
        return
      }
      json.rewind(to: start)
      json.release(start)
    }
    guard try looksLikeTarget(relationship) else {
      while json.depth > outside { _ = try json.next() }
      return
    }
    if relationship.isToMany {
      try readMany(.beginObject, of: relationship, at: key, step: step)
    } else {
      try readOne(.beginObject, of: relationship, at: key, step: step)
    }
  }

  private mutating func readTargets(
    _ token: JSONToken, _ rest: ArraySlice<JSONKeyPath.Step>, of relationship: RelationshipPlan,
    at key: KeyPlace, step: PathStep
  ) throws(JSONError) {
    if rest.count > 1, relationship.isToMany, token == .beginArray || token == .beginObject {
      try gather(token, rest.dropFirst(), relationship, at: key, step: step)
    } else if relationship.isToMany {
      try readMany(token, of: relationship, at: key, step: step)
    } else {
      try readOne(token, of: relationship, at: key, step: step)
    }
  }

  /// Reads an element, an object whose opening brace was just read, that holds the target. Nil, with nothing read, if it
  /// holds none.
  mutating func readElementInside(
    _ paths: TargetPaths, of relationship: RelationshipPlan, at key: KeyPlace, step: PathStep, position: Int
  ) throws(JSONError) -> Bool? {
    let outside = json.depth - 1
    for path in paths.paths where !path.hasElements {
      let start = json.checkpoint()
      if let token = try follow(path.steps[...]) {
        json.release(start)
        let isTarget = try readElement(token, of: relationship, at: key, step: step, position: position)
        while json.depth > outside { _ = try json.next() }
        return isTarget
      }
      json.rewind(to: start)
      json.release(start)
    }
    return nil
  }

  /// Goes along a path from the object whose opening brace was just read. Nil if it leads to nothing.
  mutating func follow(_ path: ArraySlice<JSONKeyPath.Step>) throws(JSONError) -> JSONToken? {
    var token: JSONToken? = .beginObject
    for step in path {
      guard let outer = token else { return nil }
      token = try enter(outer, step)
    }
    return token
  }

  /// Whether the object whose opening brace was just read has a key of the target's, or is empty of others.
  private mutating func looksLikeTarget(_ relationship: RelationshipPlan) throws(JSONError) -> Bool {
    let target = plan.entities[relationship.destination]
    let start = json.checkpoint()
    defer { json.release(start) }
    var isTarget = false
    while try json.next() == .key {
      if matchesSomething(target) {
        isTarget = true
        break
      }
      try json.skip(from: json.next())
    }
    json.rewind(to: start)
    return isTarget
  }
}
