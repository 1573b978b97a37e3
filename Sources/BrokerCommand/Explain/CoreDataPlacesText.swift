import ObjectStore

/// Where the parts of a Core Data store are, for people.
struct CoreDataPlacesText {
  private let places: CoreDataPlaces

  init(_ places: CoreDataPlaces) {
    self.places = places
  }

  var text: String {
    var lines = ["\(places.path) is a Core Data store. It is read by \(places.model)."]
    for entity in places.entities { lines += [""] + self.lines(of: entity) }
    if !places.differences.isEmpty {
      lines += ["", "What does not fit:"] + places.differences.map { "  \($0)" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func lines(of entity: CoreDataPlaces.Entity) -> [String] {
    let width = entity.properties.map(\.name.count).max() ?? 0
    return [
      "\(entity.name)  \(Quantity.count(Int(entity.objects), "object")) in \(entity.table), Z_ENT \(entity.number)",
      "  identified by \(entity.identity.joined(separator: ", ")): \(entity.reason);"
        + " --identity \(entity.name)=… says otherwise",
    ]
      + entity.properties.map { property in
        "  " + property.name + String(repeating: " ", count: width - property.name.count)
          + "  \(property.place ?? "nowhere")"
      }
  }
}
