import Inference
import ObjectModel

/// The identities and links of a model as lines of text.
struct ModelSummary {
  let lines: [String]

  init(_ inferred: InferredModel) throws {
    let schema = try Schema(inferred.mapping.applied(to: inferred.model))
    var lines: [String] = []
    for entity in inferred.model.entities {
      guard entity.parent == nil, let known = schema.entity(entity.name) else { continue }
      let names = schema.identityNames(of: known)
      lines.append("\(entity.name): \(names.isEmpty ? "none" : names.joined(separator: ","))")
    }
    for entity in inferred.model.entities {
      for link in entity.relationships {
        let arrow = link.isToMany ? "=>" : "->"
        lines.append("\(entity.name).\(link.name) \(arrow) \(link.destination), \(link.inverse ?? "-")")
      }
    }
    self.lines = lines
  }
}
