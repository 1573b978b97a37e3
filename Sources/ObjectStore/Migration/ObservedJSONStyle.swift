import Foundation
package import ObjectModel

/// How JSON came, by entity and by attribute: what the layers above have a store remember under `json`.
package struct ObservedJSONStyle: Codable {
  private var dates: [String: [String: String]]?
  private var keys: [String: String]?

  /// The same under the names of another version, as a text; nil if the text is none of this.
  package static func migrated(_ text: String, from old: Model, to new: Model) throws -> String? {
    guard let habits = try? JSONDecoder().decode(ObservedJSONStyle.self, from: Data(text.utf8)) else {
      return nil
    }
    let pairs = ModelCorrespondence(old: try Schema(old), new: try Schema(new))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(habits.migrated(pairs)), as: UTF8.self)
  }

  private func migrated(_ pairs: ModelCorrespondence) -> ObservedJSONStyle {
    var result = ObservedJSONStyle()
    func entities(_ name: String) -> (SchemaEntity, SchemaEntity)? {
      guard let former = pairs.old.entity(name), let successor = pairs.newEntity[former.index] else {
        return nil
      }
      return (former, pairs.new.entities[successor])
    }
    for (name, style) in keys ?? [:] {
      if let (_, entity) = entities(name) {
        result.keys = (result.keys ?? [:]).merging([entity.name: style]) { $1 }
      }
    }
    for (name, forms) in dates ?? [:] {
      guard let (former, entity) = entities(name) else { continue }
      let names = pairs.names(former, entity)
      let kept = forms.compactMap { attribute, form in names[attribute].map { ($0, form) } }
      let renamed = Dictionary(kept, uniquingKeysWith: { first, _ in first })
      result.dates = (result.dates ?? [:]).merging([entity.name: renamed]) { $1 }
    }
    return result
  }
}
