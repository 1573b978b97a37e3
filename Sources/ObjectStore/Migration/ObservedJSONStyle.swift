import Foundation
package import ObjectModel

/// How the JSON that a store has imported was written, where the model leaves that open: what the layers above have it
/// remember under `json`. Exports write it the same way.
package struct ObservedJSONStyle: Codable, Hashable, Sendable {
  /// How the dates of an attribute came: all without a time, in several forms, or all in one form, by its name; see `TimeForm`.
  package struct DateForm: RawRepresentable, Codable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// All without a time.
    package static let date = DateForm(rawValue: "date")
    /// Some with a time, and not all in one form.
    package static let time = DateForm(rawValue: "time")
  }

  /// By entity, the style of its keys, `camel` or `snake`: that of the last import which had keys that show it.
  package var keys: [String: String] = [:]
  /// How the dates of an attribute came, by the entity that declares the attribute and the attribute's name.
  package var dates: [String: [String: DateForm]] = [:]

  package init() {}

  /// - Returns: Nil for a text that is none of this, as one of another version.
  package init?(_ text: String) {
    // try?: exports write JSON in their own style then.
    guard let known = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { return nil }
    self = known
  }

  package var text: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }

  /// The same under the names of another version, as a text; nil if the text is none of this.
  package static func migrated(_ text: String, from old: Model, to new: Model) throws -> String? {
    try Self(text)?.migrated(ModelCorrespondence(old: Schema(old), new: Schema(new))).text
  }

  private func migrated(_ pairs: ModelCorrespondence) -> Self {
    var result = Self()
    func entities(_ name: String) -> (SchemaEntity, SchemaEntity)? {
      guard let former = pairs.old.entity(name), let successor = pairs.newEntity[former.index] else {
        return nil
      }
      return (former, pairs.new.entities[successor])
    }
    for (name, style) in keys {
      if let (_, entity) = entities(name) { result.keys[entity.name] = style }
    }
    for (name, forms) in dates {
      guard let (former, entity) = entities(name) else { continue }
      let names = pairs.names(former, entity)
      for (attribute, form) in forms {
        if let renamed = names[attribute] { result.dates[entity.name, default: [:]][renamed] = form }
      }
    }
    return result
  }
}
